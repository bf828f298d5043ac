/** Words for an account that is used up or not paid, also under the status 429 of a rate that passes. */
const USED_UP: ReadonlySet<unknown> = new Set([
  'insufficient_quota',
  'exceeded_current_quota_error',
  'billing_hard_limit_reached',
  'billing_not_active',
  'usage_limit_reached',
  'insufficient_balance',
]);

/** Words that providers have for an account that they do not serve, where they have one. */
const WORDS: ReadonlySet<unknown> = new Set([
  ...USED_UP,
  'invalid_api_key',
  'authentication_error',
  'billing_error',
  'API_KEY_INVALID',
  'Arrearage',
]);

/**
 * What providers write of a key that is not valid or an account that is not paid, under the status of a bad request
 * (Anthropic, Gemini, xAI, Alibaba). Each pattern is linear in the text, which is bounded.
 */
const SENTENCES: readonly RegExp[] = [
  /\b(?:incorrect|invalid) api[ -]key\b/i,
  /\bapi[ -]key (?:is )?(?:not valid|not found|invalid|expired)\b/i,
  /\bcredit balance is too low\b/i,
  /\binsufficient (?:account )?balance\b/i,
  /\bmake sure your account is in good standing\b/i,
];

/** Whether a provider refuses the account of the gateway, and not the request, by the words and the message of its error. */
export function isAccountFault(words: readonly unknown[], message: string): boolean {
  return hasAccountWord(words) || SENTENCES.some((sentence) => sentence.test(message));
}

/**
 * The same by a word of a closed list alone. Messages repeat names of a request, which its client may choose to read like a
 * sentence about the account.
 */
export function hasAccountWord(words: readonly unknown[]): boolean {
  return words.some((word) => WORDS.has(word));
}

/** Whether no wait gives an account back what it may use, by the same kind of words. */
export function isUsedUp(words: readonly unknown[]): boolean {
  return words.some((word) => USED_UP.has(word));
}
