import type { JsonObject, JsonValue } from '@toolgate/core';

/** An object of which nothing is known. */
export type Loose = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object with members. */
export function isObject(value: JsonValue | undefined): value is JsonObject;
export function isObject(value: unknown): value is Loose;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list of nothing, which PHP also writes for an object without members. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
