/** The name of the protocol that this folder speaks. */
export const CHAT = 'openai-chat' as const;
