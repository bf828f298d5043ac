import type { JsonValue } from '../../json/json-value.ts';
import { exhaustionOf, openRun } from '../check/run.ts';
import type { Filler } from './filler.ts';

/**
 * Fills what is absent in `value`, in place.
 *
 * @returns Pointers of the members that were filled, in the order of the walk. A value that is too large or too deep
 * to be checked is filled in part; the check refuses it.
 */
export function fillValue(filler: Filler, value: JsonValue, stepsPerPart: number): readonly string[] {
  const filled: string[] = [];
  try {
    filler(value, '', { run: openRun(value, stepsPerPart), filled });
  } catch (error) {
    if (exhaustionOf(error) === undefined) throw error;
  }
  return filled;
}
