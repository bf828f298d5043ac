import type { JsonObject } from '../../json/json-value.ts';
import { numberMember } from '../member.ts';
import { every } from './combine.ts';
import { multipleOf } from './multiple-of.ts';
import type { NumberCheck } from './run.ts';

/** The keywords of `json` about numbers as one check, or undefined when there are none. */
export function numberCheck(json: JsonObject): NumberCheck | undefined {
  const checks: NumberCheck[] = [];
  const minimum = numberMember(json, 'minimum');
  const maximum = numberMember(json, 'maximum');
  const above = numberMember(json, 'exclusiveMinimum');
  const below = numberMember(json, 'exclusiveMaximum');
  const divisor = numberMember(json, 'multipleOf');
  if (minimum !== undefined && maximum !== undefined)
    checks.push((value) => value >= minimum && value <= maximum);
  else if (minimum !== undefined) checks.push((value) => value >= minimum);
  else if (maximum !== undefined) checks.push((value) => value <= maximum);
  if (above !== undefined) checks.push((value) => value > above);
  if (below !== undefined) checks.push((value) => value < below);
  if (divisor !== undefined) checks.push(multipleOf(divisor));
  return every<number, never>(checks) as NumberCheck | undefined;
}
