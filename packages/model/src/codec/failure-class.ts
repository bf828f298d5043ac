/** What a provider's word for a failure comes to, as far as other wires have a word for the same. */
export type FailureClass =
  /** The conversation is longer than the model can read. */
  | 'context'
  /** Too many requests or tokens for now. */
  | 'limited'
  | 'overloaded'
  | 'timeout'
  /** The request is wrong in some other way. */
  | 'request';

/** The words of each class, without what joins their parts. */
const WORDS: Readonly<Record<FailureClass, readonly string[]>> = {
  context: [
    'contextlengthexceeded',
    'contextwindowexceeded',
    'modelcontextwindowexceeded',
    'contentlengthexceedsthreshold',
    'prompttoolong',
  ],
  limited: [
    'ratelimit',
    'ratelimiterror',
    'ratelimitexceeded',
    'ratelimitexceedederror',
    'toomanyrequests',
    'resourceexhausted',
  ],
  overloaded: [
    'overloaded',
    'overloadederror',
    'engineoverloaded',
    'serveroverloaded',
    'serverisoverloaded',
    'slowdown',
    'unavailable',
    'serviceunavailable',
    'serviceunavailableerror',
  ],
  timeout: [
    'timeout',
    'timeouterror',
    'requesttimeout',
    'gatewaytimeout',
    'deadlineexceeded',
    'vectorstoretimeout',
    // Our own `model/timeout`.
    'modeltimeout',
  ],
  request: [
    'invalidrequesterror',
    'invalidprompt',
    'invalidargument',
    'badrequest',
    'requesttoolarge',
    'contentfilter',
    'contentpolicyviolation',
  ],
};

const CLASSES: ReadonlyMap<string, FailureClass> = new Map<string, FailureClass>([
  ...(Object.entries(WORDS) as [FailureClass, readonly string[]][]).flatMap(([name, words]) =>
    words.map((word): [string, FailureClass] => [word, name]),
  ),
  ['400', 'request'],
  ['408', 'timeout'],
  ['413', 'request'],
  ['422', 'request'],
  ['429', 'limited'],
  ['503', 'overloaded'],
  ['504', 'timeout'],
  ['529', 'overloaded'],
]);

/**
 * The class of a failure, by the provider's word or status or by a `ModelErrorCode`. A word that is not known has none,
 * and neither has what concerns the account of whoever asked.
 */
export function failureClass(word: string | undefined): FailureClass | undefined {
  if (word === undefined) return undefined;
  return CLASSES.get(/^\d{3}$/.test(word) ? word : word.toLowerCase().replace(/[^a-z]/g, ''));
}

const REASONS: Readonly<Record<FailureClass, string>> = {
  // Clients of Anthropic shorten the conversation where they read this.
  context: ': prompt is too long',
  limited: ': the provider limits the rate',
  overloaded: ': the provider is overloaded',
  timeout: ': the provider did not answer in time',
  request: ': the provider refused the request',
};

/** The sentence of ours for a failed answer. What the provider wrote is not ours to pass on. */
export function failureText(failure: FailureClass | undefined): string {
  return `The model failed to answer${failure === undefined ? '' : REASONS[failure]}.`;
}
