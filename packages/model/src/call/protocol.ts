/** The wire protocols with a codec. */
export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** All of them, in the order used for tables. */
export const PROTOCOLS: readonly Protocol[] = Object.freeze([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
]);
