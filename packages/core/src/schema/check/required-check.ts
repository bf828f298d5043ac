import type { JsonObject } from '../../json/json-value.ts';
import { namesMember } from '../member.ts';
import type { ObjectCheck } from './run.ts';

/** Whether `value` has an own member `name`. */
export function has(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

/** `required` alone, for schemas that say nothing else about members. */
export function requiredCheck(json: JsonObject): ObjectCheck | undefined {
  const names = namesMember(json, 'required');
  const [only] = names;
  if (only === undefined) return undefined;
  if (names.length === 1) return (value) => has(value, only);
  return (value) => {
    for (const name of names) if (!has(value, name)) return false;
    return true;
  };
}
