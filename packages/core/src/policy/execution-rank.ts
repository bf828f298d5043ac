import type { ExecutionClass } from '../tool/profile.ts';

/** The rank of each execution class: the more a tool can do to the world, the higher. */
export const EXECUTION_RANKS: Readonly<Record<ExecutionClass, number>> = Object.freeze({
  unclassified: 0,
  read: 1,
  write: 2,
  external: 3,
});

/** Above every class there is, so that a word nobody knows is never the way around an approval. */
const UNKNOWN_RANK = 4;

/** The rank of a class as declared. A word outside the list ranks above `external`. */
export function rankOf(executionClass: string): number {
  return isExecutionClass(executionClass) ? EXECUTION_RANKS[executionClass] : UNKNOWN_RANK;
}

/** Whether a value is one of the four declared classes. */
export function isExecutionClass(value: unknown): value is ExecutionClass {
  return typeof value === 'string' && Object.hasOwn(EXECUTION_RANKS, value);
}
