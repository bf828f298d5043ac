/** Steps that an analysis may still take. Shared by all patterns of one schema, so that many do not add up. */
export interface WorkBudget {
  remaining: number;
}

/** The analysis gave up. Thrown and caught inside this folder only. */
export class OutOfWork extends Error {
  override readonly name = 'OutOfWork';
}

/** Why a pattern is not proved when the budget does not last. */
export const tooMuchWork = 'it is too large to be proved linear';

/** @throws {@link OutOfWork} when the budget does not hold `steps` any more. */
export function spend(budget: WorkBudget, steps: number): void {
  budget.remaining -= steps;
  if (budget.remaining < 0) throw new OutOfWork(tooMuchWork);
}
