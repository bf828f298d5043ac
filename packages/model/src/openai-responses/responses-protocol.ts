/** The name of the protocol that this folder speaks. */
export const RESPONSES = 'openai-responses' as const;
