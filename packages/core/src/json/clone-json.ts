import type { JsonArray, JsonObject, JsonValue } from './json-value.ts';
import { defineMember } from './own-member.ts';

type Copy = JsonValue[] | Record<string, JsonValue>;

/**
 * A deep copy that the caller owns: not frozen, sharing nothing.
 *
 * @param value - A JSON value of any depth, a tree: a part that occurs twice is copied twice.
 */
export function cloneJson<Value extends JsonValue>(value: Value): Value;
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const waiting: [source: JsonArray | JsonObject, copy: Copy][] = [];
  const root = begin(value, waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) fill(next[0], next[1], waiting);
  return root;
}

function begin(source: JsonArray | JsonObject, waiting: [JsonArray | JsonObject, Copy][]): Copy {
  const copy: Copy = Array.isArray(source) ? [] : {};
  waiting.push([source, copy]);
  return copy;
}

function fill(source: JsonArray | JsonObject, copy: Copy, waiting: [JsonArray | JsonObject, Copy][]): void {
  if (Array.isArray(copy)) {
    for (const item of source as JsonArray) {
      copy.push(typeof item === 'object' && item !== null ? begin(item, waiting) : item);
    }
    return;
  }
  for (const [name, member] of Object.entries(source)) {
    const value = typeof member === 'object' && member !== null ? begin(member, waiting) : member;
    if (name === '__proto__') defineMember(copy, name, value);
    else copy[name] = value;
  }
}
