/** The name of the protocol that this folder speaks. */
export const GEMINI = 'gemini' as const;

/**
 * What stands in for the signature of a call that another model made. Gemini 3 refuses a step whose first call has none;
 * this is the value that its documentation gives for a history from elsewhere.
 */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator';

/**
 * The generation of a model by its name, `2.5` of `gemini-2.5-flash`. A name without a generation stands for the newest
 * one; `undefined` where nothing is known.
 */
export function generationOf(model: string): number | undefined {
  const generation = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1];
  if (generation !== undefined) return Number(generation);
  return /gemini-[a-z-]*latest$/.test(model) ? Number.POSITIVE_INFINITY : undefined;
}

/** Whether a model demands signatures: those of generation 3 and later. */
export function demandsSignatures(model: string): boolean {
  return (generationOf(model) ?? 0) >= 3;
}
