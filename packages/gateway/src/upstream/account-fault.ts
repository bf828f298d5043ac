/** Words that providers have for an account that they do not serve, where they have one. */
const WORDS: ReadonlySet<unknown> = new Set([
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
