import type { JsonValue } from '../../json/json-value.ts';
import { giveUp, type Run, spend } from '../check/run.ts';

/** Values that one pass puts in, their parts included; more is no completion of a value but another one. */
const maxParts = 1_000_000;

/** One pass that fills absent members. */
export interface Filling {
  readonly run: Run;
  /** Pointers of the members that were filled so far; absent while there are none. */
  filled: string[] | undefined;
  /** Parts that may still be put in. */
  room: number;
}

/** A pass that has filled nothing. */
export function openFilling(run: Run): Filling {
  return { run, filled: undefined, room: maxParts };
}

/** Notes a member that was filled. A list that is made for its first item is a small one. */
export function addFilled(filling: Filling, pointer: string): void {
  if (filling.filled === undefined) filling.filled = [pointer];
  else filling.filled.push(pointer);
}

/** Takes what is put in off the account, before it is made: a short text must not grow by the size of a default. */
export function claim(filling: Filling, parts: number): void {
  spend(filling.run, parts);
  filling.room -= parts;
  if (filling.room < 0) giveUp('budget');
}

/** Fills what is absent in a value, in place. `pointer` is where the value stands. */
export type Filler = (value: JsonValue, pointer: string, filling: Filling) => void;

/** One filler for all of a list, in its order; undefined when there are none. */
export function allFillers(fillers: readonly (Filler | undefined)[]): Filler | undefined {
  const some = fillers.filter((filler) => filler !== undefined);
  const [only] = some;
  if (some.length < 2) return only;
  return (value, pointer, filling) => {
    for (const filler of some) filler(value, pointer, filling);
  };
}
