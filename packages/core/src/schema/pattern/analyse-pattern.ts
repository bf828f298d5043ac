import { isBounded } from './attempt-bound.ts';
import { parsePattern } from './parse-pattern.ts';
import { UnreadPattern } from './pattern-reader.ts';
import { positionAutomaton } from './position-automaton.ts';
import { OutOfWork, type WorkBudget } from './work-budget.ts';

/**
 * What is known of the time a native search with a pattern takes. `linear`: a proof that no text makes it take
 * more than {@link maxStepsPerCharacter} steps for each of its characters. `ambiguous`: no such proof was found;
 * the pattern may still be harmless. `invalid`: not a regular expression of ECMAScript.
 */
export type PatternVerdict =
  | { readonly kind: 'linear' }
  | { readonly kind: 'ambiguous'; readonly why: string }
  | { readonly kind: 'invalid'; readonly why: string };

/** Settings of {@link analysePattern}. */
export interface AnalysePatternOptions {
  /** Steps the analysis may take; it is reduced by those taken. Default: a fresh {@link maxAnalysisSteps}. */
  readonly budget?: WorkBudget;
}

/** Steps for each character up to which a pattern counts as linear. */
export const maxStepsPerCharacter = 128;

/** Steps of one analysis; ordinary patterns need some hundreds. */
export const maxAnalysisSteps = 50_000;

/**
 * Proves that a native search with a pattern is linear in its text, or gives up. Never runs the pattern on a text.
 *
 * @param source - As in JSON Schema: without delimiters, not anchored unless it says so. It is taken with the `u`
 * flag and, where that flag refuses it, without.
 */
export function analysePattern(source: string, options: AnalysePatternOptions = {}): PatternVerdict {
  const unicode = isNative(source, 'u');
  if (!unicode && !isNative(source, '')) {
    return { kind: 'invalid', why: 'it is not a regular expression of ECMAScript' };
  }
  const parsed = parsePattern(source, unicode);
  if (parsed.kind === 'unread') return { kind: 'ambiguous', why: parsed.why };
  const budget = options.budget ?? { remaining: maxAnalysisSteps };
  try {
    if (isBounded(positionAutomaton(parsed.node, budget), maxStepsPerCharacter, budget))
      return { kind: 'linear' };
    return { kind: 'ambiguous', why: 'the same text can be matched in too many ways' };
  } catch (error) {
    if (error instanceof UnreadPattern || error instanceof OutOfWork)
      return { kind: 'ambiguous', why: error.message };
    throw error;
  }
}

function isNative(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
