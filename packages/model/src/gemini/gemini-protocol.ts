/** The name of the protocol that this folder speaks. */
export const GEMINI = 'gemini' as const;

/**
 * What stands in for the signature of a call that another model made. Gemini 3 refuses a step whose first call has none;
 * this is the value that its documentation gives for a history from elsewhere.
 */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator';

/**
 * Whether a model demands signatures: those of generation 3 and later, and the names without a generation, which stand for
 * the newest one.
 */
export function demandsSignatures(model: string): boolean {
  const generation = /gemini-(\d+)/.exec(model)?.[1];
  if (generation === undefined) return /gemini-[a-z-]*latest$/.test(model);
  return Number(generation) >= 3;
}
