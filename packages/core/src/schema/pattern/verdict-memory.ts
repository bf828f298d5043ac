import type { PatternVerdict } from './analyse-pattern.ts';
import { tooMuchWork, type WorkBudget } from './work-budget.ts';

/** What an analysis found, and the steps that it took. */
interface KnownVerdict {
  readonly verdict: PatternVerdict;
  readonly steps: number;
}

/** Remembers what is known of patterns, so that many schemas with the same patterns are analysed once. */
export interface VerdictMemory {
  /**
   * The verdict on `source`, from memory or from `analyse`. Either way `budget` is reduced by the steps of the analysis, and
   * the verdict is the one that a fresh analysis with this budget would give: what a schema may contain never depends
   * on the schemas that were compiled before it.
   */
  verdictOn(source: string, budget: WorkBudget, analyse: () => PatternVerdict): PatternVerdict;
}

/**
 * Makes an empty memory.
 *
 * @param capacity - Patterns that are kept. Of more, those that were asked for longest ago are forgotten.
 */
export function createVerdictMemory(capacity: number): VerdictMemory {
  const known = new Map<string, KnownVerdict>();
  return {
    verdictOn: (source, budget, analyse) => {
      const found = known.get(source);
      if (found !== undefined) {
        known.delete(source);
        known.set(source, found);
        budget.remaining -= found.steps;
        return budget.remaining < 0 ? { kind: 'ambiguous', why: tooMuchWork } : found.verdict;
      }
      const before = budget.remaining;
      const verdict = analyse();
      // One that ran out of work says something about the budget, not about the pattern.
      if (budget.remaining < 0) return verdict;
      known.set(source, { verdict, steps: before - budget.remaining });
      for (const oldest of known.size > capacity ? known.keys() : []) {
        known.delete(oldest);
        break;
      }
      return verdict;
    },
  };
}
