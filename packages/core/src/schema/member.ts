import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';

// Schemas and values are foreign: a member that is only inherited does not exist, whatever Object.prototype holds.

/** The own member `name` of `json`. */
export function member(json: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(json, name) ? json[name] : undefined;
}

/** The own member `name`, where it is a number. */
export function numberMember(json: JsonObject, name: string): number | undefined {
  const value = member(json, name);
  return typeof value === 'number' ? value : undefined;
}

/** The own member `name`, where it is a string. */
export function stringMember(json: JsonObject, name: string): string | undefined {
  const value = member(json, name);
  return typeof value === 'string' ? value : undefined;
}

/** The own member `name`, where it is an array; an empty list otherwise. */
export function listMember(json: JsonObject, name: string): readonly JsonValue[] {
  const value = member(json, name);
  return isJsonArray(value) ? value : [];
}

/** Names and values of the own member `name`, where it is an object; an empty list otherwise. */
export function entriesMember(json: JsonObject, name: string): readonly (readonly [string, JsonValue])[] {
  const value = member(json, name);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** The strings of the own member `name`, where it is an array of strings. */
export function namesMember(json: JsonObject, name: string): readonly string[] {
  return listMember(json, name).filter((value) => typeof value === 'string');
}

/** Whether `value` is a JSON array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
