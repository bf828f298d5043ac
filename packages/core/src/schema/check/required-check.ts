import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { namesMember } from '../member.ts';
import type { Check } from './run.ts';

/** Whether `value` has an own member `name`. */
export function has(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

/**
 * `required` alone, for schemas that say nothing else about members.
 *
 * @param others - The answer for values that are no objects.
 */
export function requiredCheck(json: JsonObject, others: boolean): Check | undefined {
  const names = namesMember(json, 'required');
  if (names.length === 0) return undefined;
  return (value) => {
    if (!isJsonObject(value)) return others;
    for (const name of names) if (!has(value, name)) return false;
    return true;
  };
}
