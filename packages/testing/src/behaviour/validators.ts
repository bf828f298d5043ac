import type { Stage } from './stage.ts';

/** Admission rules besides the schema: returns the texts of what it refuses; may throw or answer later. */
export type CorpusValidator = (input: unknown) => unknown;

const member = (input: unknown, name: string): unknown =>
  typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined;

/** Admission rules by id. */
export const validators: ReadonlyMap<string, (stage: Stage) => CorpusValidator> = new Map<
  string,
  (stage: Stage) => CorpusValidator
>([
  [
    'different-accounts',
    () => (input) => (member(input, 'from') === member(input, 'to') ? ['from and to have to differ'] : []),
  ],
  [
    'throw',
    () => () => {
      throw new Error('rule table postgres://app:hunter2@db.internal:5432/prod is gone');
    },
  ],
  ['asynchronous', () => async () => []],
  ['asynchronous-reject', () => () => Promise.reject(new Error('later'))],
  ['undefined', () => () => undefined],
  ['true', () => () => true],
  [
    'tamper',
    () => (input) => {
      if (typeof input === 'object' && input !== null) Reflect.set(input, 'amount', 1000);
      return [];
    },
  ],
]);
