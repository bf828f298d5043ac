/** The name of the protocol that this folder speaks. */
export const ANTHROPIC = 'anthropic' as const;

/** `max_tokens` is mandatory in this protocol; this is sent for a call that has no limit, with a `synthesised` loss. */
export const ANTHROPIC_DEFAULT_MAX_TOKENS: number = 8192;
