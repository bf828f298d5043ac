import type { JsonObject, JsonValue } from './json-value.ts';

/** Whether a JSON value is an object: neither a list nor `null`. What is no JSON value at all is not asked for. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
