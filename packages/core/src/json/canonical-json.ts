import { encodeJson } from './encode-json.ts';
import type { JsonValue } from './json-value.ts';
import { CANONICAL } from './write-rules.ts';

/**
 * The canonical JSON of a value (RFC 8785): no white space, members sorted by the UTF-16 units of their names, numbers as
 * ECMAScript prints them, the shortest escapes. Two values with the same canonical JSON are the same value.
 *
 * @param value - Of any depth.
 * @throws {@link JsonError} as `writeJson` does, where the value is no JSON value after all.
 */
export function canonicalJson(value: JsonValue): string {
  return encodeJson(value, CANONICAL);
}
