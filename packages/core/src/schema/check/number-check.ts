import type { JsonObject } from '../../json/json-value.ts';
import { numberMember } from '../member.ts';
import { multipleOf } from './multiple-of.ts';
import type { Check } from './run.ts';

/**
 * The keywords of `json` about numbers as one check, or undefined when there are none.
 *
 * @param others - The answer for values that are no numbers.
 */
export function numberCheck(json: JsonObject, others: boolean): Check | undefined {
  const minimum = numberMember(json, 'minimum') ?? -Infinity;
  const maximum = numberMember(json, 'maximum') ?? Infinity;
  const above = numberMember(json, 'exclusiveMinimum') ?? -Infinity;
  const below = numberMember(json, 'exclusiveMaximum') ?? Infinity;
  const divisor = numberMember(json, 'multipleOf');
  const bounded = Math.max(minimum, above) > -Infinity || Math.min(maximum, below) < Infinity;
  if (!bounded && divisor === undefined) return undefined;
  const multiple = divisor === undefined ? undefined : multipleOf(divisor);
  return (value) => {
    if (typeof value !== 'number') return others;
    if (value < minimum || value > maximum || value <= above || value >= below) return false;
    return multiple === undefined || multiple(value);
  };
}
