import type { JsonValue } from '../../json/json-value.ts';
import type { Run } from '../check/run.ts';

/** One pass that fills absent members. */
export interface Filling {
  readonly run: Run;
  /** Pointers of the members that were filled so far. */
  readonly filled: string[];
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
