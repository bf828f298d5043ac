import type { JsonValue } from '../../json/json-value.ts';
import type { Run } from './run.ts';

/** Which members or items of one value some subschema looked at; `unevaluated…` keywords see the others. */
export interface Marks {
  readonly names: Set<string>;
  readonly indexes: Set<number>;
  /** Items before this index were looked at. */
  upTo: number;
}

/**
 * Answers whether a value matches, and adds what it looked at to `marks`. After a refusal the marks mean nothing:
 * whoever may go on after one must have passed in fresh marks.
 */
export type Mark = (value: JsonValue, run: Run, marks: Marks) => boolean;

/** Marks of a value that nothing has looked at yet. */
export function noMarks(): Marks {
  return { names: new Set(), indexes: new Set(), upTo: 0 };
}

/** Adds `other` to `marks`. */
export function addMarks(marks: Marks, other: Marks): void {
  for (const name of other.names) marks.names.add(name);
  for (const index of other.indexes) marks.indexes.add(index);
  marks.upTo = Math.max(marks.upTo, other.upTo);
}
