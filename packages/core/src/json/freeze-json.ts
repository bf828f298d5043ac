import type { JsonValue } from './json-value.ts';

/**
 * Freezes a value and everything in it, in place.
 *
 * @param value - A JSON value of any depth; shared parts are fine.
 * @returns The same value.
 */
export function freezeJson<Value extends JsonValue>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const waiting: object[] = [value];
  // Only what arrives frozen can have been here before; remembering it ends the walk even where the value is no tree.
  let seen: Set<object> | undefined;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Object.isFrozen(next)) {
      seen ??= new Set();
      if (seen.has(next)) continue;
      seen.add(next);
    } else {
      Object.freeze(next);
    }
    for (const member of Object.values(next) as readonly JsonValue[]) {
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  return value;
}
