import type { Exhaustion } from '../check/run.ts';
import { explainGivenUp } from '../explain/explain-value.ts';
import type { Schema } from '../schema.ts';
import { fillValue } from './fill-value.ts';
import type { Filler } from './filler.ts';

/** What a schema does with values. */
type Judgement = Pick<Schema, 'check' | 'explain' | 'applyDefaults'>;

const nothingFilled: readonly string[] = Object.freeze([]);

/**
 * Adds the filling to a check. A value whose filling was given up does not match from then on: the check alone has
 * another account, and might pass what lacks half of its defaults.
 */
export function withDefaults(
  plain: Pick<Judgement, 'check' | 'explain'>,
  filler: Filler | undefined,
  stepsPerPart: number,
): Judgement {
  if (filler === undefined) return { ...plain, applyDefaults: () => nothingFilled };
  let givenUp: WeakMap<object, Exhaustion> | undefined;
  const lookUp = (value: unknown): Exhaustion | undefined =>
    typeof value === 'object' && value !== null ? givenUp?.get(value) : undefined;
  return {
    check: (value) => (givenUp === undefined || lookUp(value) === undefined) && plain.check(value),
    explain: (value) => {
      const exhaustion = lookUp(value);
      return exhaustion === undefined ? plain.explain(value) : explainGivenUp(exhaustion);
    },
    applyDefaults: (value) => {
      const filled = fillValue(filler, value, stepsPerPart);
      if (filled.givenUp !== undefined && typeof value === 'object' && value !== null) {
        givenUp ??= new WeakMap();
        givenUp.set(value, filled.givenUp);
      }
      return filled.pointers;
    },
  };
}
