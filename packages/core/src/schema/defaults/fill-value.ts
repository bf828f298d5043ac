import type { JsonValue } from '../../json/json-value.ts';
import { type Exhaustion, exhaustionOf, openRun } from '../check/run.ts';
import { type Filler, openFilling } from './filler.ts';

/** What one pass did. */
export interface Filled {
  /** Pointers of the members that were filled, in the order of the walk. */
  readonly pointers: readonly string[];
  /** Why the pass was given up before its end; the value is filled in part then and must not be used. */
  readonly givenUp: Exhaustion | undefined;
}

const nothing: readonly string[] = Object.freeze([]);

/** Fills what is absent in `value`, in place. */
export function fillValue(filler: Filler, value: JsonValue, stepsPerPart: number): Filled {
  const filling = openFilling(openRun(value, stepsPerPart));
  try {
    filler(value, '', filling);
  } catch (error) {
    const givenUp = exhaustionOf(error);
    if (givenUp === undefined) throw error;
    return { pointers: filling.filled ?? nothing, givenUp };
  }
  return { pointers: filling.filled ?? nothing, givenUp: undefined };
}
