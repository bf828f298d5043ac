import type { VerifyCounts } from './verify-case.ts';

/** Sums over all cases. */
export interface VerifyTotals {
  readonly counts: VerifyCounts;
  /** Lines that are no case. */
  readonly invalidCases: number;
  /** Definitions without a contract. */
  readonly refusedDefinitions: number;
}

/** Sums of nothing. */
export const NO_TOTALS: VerifyTotals = Object.freeze({
  counts: Object.freeze({
    cases: 0,
    tools: 0,
    aliased: 0,
    calls: 0,
    admitted: 0,
    refused: 0,
    unchecked: 0,
    agreed: 0,
    disagreed: 0,
    unrecorded: 0,
  }),
  invalidCases: 0,
  refusedDefinitions: 0,
});

/** The sum of two counts, field by field. */
export function addCounts(left: VerifyCounts, right: VerifyCounts): VerifyCounts {
  return {
    cases: left.cases + right.cases,
    tools: left.tools + right.tools,
    aliased: left.aliased + right.aliased,
    calls: left.calls + right.calls,
    admitted: left.admitted + right.admitted,
    refused: left.refused + right.refused,
    unchecked: left.unchecked + right.unchecked,
    agreed: left.agreed + right.agreed,
    disagreed: left.disagreed + right.disagreed,
    unrecorded: left.unrecorded + right.unrecorded,
  };
}
