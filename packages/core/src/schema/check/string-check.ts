import type { JsonObject } from '../../json/json-value.ts';
import { numberMember, stringMember } from '../member.ts';
import type { CheckBuilder } from './check-builder.ts';
import { codePoints } from './code-points.ts';
import { every } from './combine.ts';
import { type Run, type StringCheck, spend } from './run.ts';

/** The keywords of `json` about strings as one check, or undefined when there are none. */
export function stringCheck(json: JsonObject, builder: CheckBuilder): StringCheck | undefined {
  const checks: StringCheck[] = [];
  const length = lengthCheck(
    numberMember(json, 'minLength') ?? 0,
    numberMember(json, 'maxLength') ?? Infinity,
  );
  if (length !== undefined) checks.push(length);
  const pattern = stringMember(json, 'pattern');
  const compiled = pattern === undefined ? undefined : builder.patterns.get(pattern);
  if (compiled !== undefined) checks.push((value, run) => payFor(value, run) && compiled.test(value));
  const format = stringMember(json, 'format');
  const formatCheck = format === undefined ? undefined : builder.formats.get(format);
  if (formatCheck !== undefined) checks.push((value, run) => payFor(value, run) && formatCheck(value));
  return every(checks);
}

/** A code point takes one or two UTF-16 units, so most texts are judged without counting. */
function lengthCheck(minimum: number, maximum: number): StringCheck | undefined {
  if (minimum === 0 && maximum === Infinity) return undefined;
  return (value, run) => {
    const units = value.length;
    if (units < minimum || units > 2 * maximum) return false;
    if (units <= maximum && units >= 2 * minimum) return true;
    payFor(value, run);
    const characters = codePoints(value);
    return characters >= minimum && characters <= maximum;
  };
}

/** A long text costs steps by its length: many keywords may each read all of it. */
function payFor(value: string, run: Run): true {
  if (value.length > 256) spend(run, value.length >> 8);
  return true;
}
