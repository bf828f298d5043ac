import type { JsonObject } from '../../json/json-value.ts';
import { numberMember, stringMember } from '../member.ts';
import type { CheckBuilder } from './check-builder.ts';
import { codePoints } from './code-points.ts';
import { type Check, spend } from './run.ts';

/**
 * The keywords of `json` about strings as one check, or undefined when there are none.
 *
 * @param others - The answer for values that are no strings.
 */
export function stringCheck(json: JsonObject, builder: CheckBuilder, others: boolean): Check | undefined {
  const minimum = numberMember(json, 'minLength') ?? 0;
  const maximum = numberMember(json, 'maxLength') ?? Infinity;
  const pattern = builder.patterns.get(stringMember(json, 'pattern') ?? '');
  const matches = Object.hasOwn(json, 'pattern') ? pattern : undefined;
  const format = builder.formats.get(stringMember(json, 'format') ?? '');
  if (minimum === 0 && maximum === Infinity && matches === undefined && format === undefined)
    return undefined;
  return (value, run) => {
    if (typeof value !== 'string') return others;
    const units = value.length;
    // A long text costs steps by its length: many keywords may each read all of it.
    if (units > 256) spend(run, units >> 8);
    if (!fitsLength(value, minimum, maximum)) return false;
    if (matches !== undefined && !matches.test(value)) return false;
    return format === undefined || format(value);
  };
}

/** A code point takes one or two UTF-16 units, so most texts are judged without counting. */
function fitsLength(text: string, minimum: number, maximum: number): boolean {
  const units = text.length;
  if (units < minimum || units > 2 * maximum) return false;
  if (units <= maximum && units >= 2 * minimum - 1) return true;
  const characters = codePoints(text);
  return characters >= minimum && characters <= maximum;
}
