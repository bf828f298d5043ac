import { CompiledQuery } from 'kysely';
import type { Write } from './tables.ts';

/** What a column of ours can hold. */
export type ColumnValue = string | number | null;

/** A statement that is written out already, in the dialect of its database. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly ColumnValue[];
}

/**
 * Work of a transaction whose statements are known beforehand: it gives one after the other, and gets the rows of each. Nobody
 * has to build and print them, and a database that answers at once is not waited for.
 */
export type Steps<Result> = Generator<Statement, Result, readonly unknown[]>;

/** Takes the steps as part of a transaction. */
export async function runSteps<Result>(transaction: Write, steps: Steps<Result>): Promise<Result> {
  let step = steps.next([]);
  while (step.done !== true) {
    const { sql, parameters } = step.value;
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(sql, [...parameters]));
    step = steps.next(rows);
  }
  return step.value;
}

/** Takes the steps at once. @param run - Runs a statement and returns its rows. */
export function runStepsNow<Result>(
  run: (statement: Statement) => readonly unknown[],
  steps: Steps<Result>,
): Result {
  let step = steps.next([]);
  while (step.done !== true) step = steps.next(run(step.value));
  return step.value;
}
