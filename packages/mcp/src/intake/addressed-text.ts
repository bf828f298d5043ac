/** Kinds of text that belong in no description, each bounded between its words so that a search stays linear. */
const SIGNS: readonly { readonly what: string; readonly sign: RegExp }[] = [
  {
    what: 'asks to set other instructions aside',
    sign: /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|existing|all|other|your|any|system)\b[^.\n]{0,40}\b(?:instruction|direction|prompt|rule|guideline|polic|message)/iu,
  },
  {
    what: 'asks to keep something from a person',
    sign: /\b(?:do not|don['’]t|never|without|must not|should not|avoid)\b[^.\n]{0,40}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|show|showing|notify|notifying|ask|asking|alert|disclos\w{1,6})\b[^.\n]{0,30}\b(?:user|human|person|people|operator|anyone|customer)s?\b/iu,
  },
  {
    what: 'has markup that poses as instructions',
    sign: /<\s{0,4}\/?\s{0,4}(?:important|system|instructions?|secret|admin|assistant|hidden|override)\b[^>\n]{0,60}>|\[\s{0,4}(?:system|inst|important instructions?)\s{0,4}\]/iu,
  },
  {
    what: 'points to credentials',
    sign: /~\/\.(?:ssh|aws|cursor|config|kube|gnupg|netrc)|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow)\b|\bmcp\.json\b|\bclaude_desktop_config\b/iu,
  },
  {
    what: 'gives orders about other tools',
    sign: /\b(?:before|after|instead of|whenever|prior to|every time)\b[^.\n]{0,30}\b(?:using|calling|invoking|running|use|call|invoke)\b[^.\n]{0,20}\b(?:any|other|another|all|every)\b[^.\n]{0,20}\btools?\b/iu,
  },
  {
    what: 'speaks of the prompt of the model',
    sign: /\bsystem prompt\b|\byour (?:instructions|prompt|guidelines)\b|\bjailbreak\b/iu,
  },
];

/** What of a text tells a model what to do beyond the tool it describes, in a few words; empty for ordinary text. */
export function addressedText(text: string): readonly string[] {
  return SIGNS.filter(({ sign }) => sign.test(text)).map(({ what }) => what);
}

/** Whether a text holds a comment that a reader of formatted text does not see. */
export function hasHiddenMarkup(text: string): boolean {
  return text.includes('<!--') || /^\[(?:\/\/|comment)\]:\s?(?:#|<>)/imu.test(text);
}
