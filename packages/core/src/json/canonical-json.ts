import type { JsonValue } from './json-value.ts';
import { copyJson } from './to-json-value.ts';
import { CANONICAL } from './write-rules.ts';

/**
 * The canonical JSON of a value (RFC 8785): no white space, members sorted by the UTF-16 units of their names, numbers as
 * ECMAScript prints them, the shortest escapes. Two values with the same canonical JSON are the same value.
 *
 * @throws {@link JsonError} as `writeJson` does, where the value is no JSON value after all, or nested deeper than 1,000.
 */
export function canonicalJson(value: JsonValue): string {
  const copy = copyJson(value, CANONICAL);
  return hasIndexNames(copy) ? writeSorted(copy) : JSON.stringify(copy);
}

/** Names that an engine puts before all others, whatever order they came in. */
const INDEX_NAME = /^(?:0|[1-9]\d{0,9})$/;

function hasIndexNames(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasIndexNames);
  // Such names come first, so one look is enough.
  const [first] = Object.keys(value);
  if (first !== undefined && INDEX_NAME.test(first)) return true;
  return Object.values(value).some(hasIndexNames);
}

function writeSorted(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeSorted(member)}`).join(',')}}`;
}
