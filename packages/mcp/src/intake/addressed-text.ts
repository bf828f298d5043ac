/**
 * Kinds of text that belong in no description, each bounded between its words so that a search stays linear, and looked
 * for only where one of its words stands, because most texts have none.
 */
const SIGNS: readonly { readonly what: string; readonly words: readonly string[]; readonly sign: RegExp }[] =
  [
    {
      what: 'asks to set other instructions aside',
      words: ['ignore', 'disregard', 'forget', 'override', 'bypass'],
      sign: /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|existing|all|other|your|any|system)\b[^.\n]{0,40}\b(?:instruction|direction|prompt|rule|guideline|polic|message)/iu,
    },
    {
      what: 'asks to keep something from a person',
      words: ['user', 'human', 'person', 'people', 'operator', 'anyone', 'customer'],
      sign: /\b(?:do not|don['’]t|never|without|must not|should not|avoid)\b[^.\n]{0,40}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|show|showing|notify|notifying|ask|asking|alert|disclos\w{1,6})\b[^.\n]{0,30}\b(?:user|human|person|people|operator|anyone|customer)s?\b/iu,
    },
    {
      what: 'has markup that poses as instructions',
      words: ['<', '['],
      sign: /<\s{0,4}\/?\s{0,4}(?:important|system|instructions?|secret|admin|assistant|hidden|override)\b[^>\n]{0,60}>|\[\s{0,4}(?:system|inst|important instructions?)\s{0,4}\]/iu,
    },
    {
      what: 'points to credentials',
      words: ['~/.', 'id_rsa', 'id_ed25519', 'id_ecdsa', '/etc/', 'mcp.json', 'claude_desktop'],
      sign: /~\/\.(?:ssh|aws|cursor|config|kube|gnupg|netrc)|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow)\b|\bmcp\.json\b|\bclaude_desktop_config\b/iu,
    },
    {
      what: 'gives orders about other tools',
      words: ['tool'],
      sign: /\b(?:before|after|instead of|whenever|prior to|every time)\b[^.\n]{0,30}\b(?:using|calling|invoking|running|use|call|invoke)\b[^.\n]{0,20}\b(?:any|other|another|all|every)\b[^.\n]{0,20}\btools?\b/iu,
    },
    {
      what: 'speaks of the prompt of the model',
      words: ['system prompt', 'your ', 'jailbreak'],
      sign: /\bsystem prompt\b|\byour (?:instructions|prompt|guidelines)\b|\bjailbreak\b/iu,
    },
  ];

/** What of a text tells a model what to do beyond the tool it describes, in a few words; empty for ordinary text. */
export function addressedText(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return SIGNS.filter(({ words, sign }) => words.some((word) => lower.includes(word)) && sign.test(text)).map(
    ({ what }) => what,
  );
}
