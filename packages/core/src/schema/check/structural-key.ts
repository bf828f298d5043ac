import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray } from '../member.ts';

/** A text that is equal exactly for values that {@link deepEqual} holds equal; linear in the value but for sorting. */
export function structuralKey(value: JsonValue): string {
  if (typeof value === 'number') return String(value === 0 ? 0 : value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(structuralKey).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${structuralKey(value[name] ?? null)}`);
  return `{${members.join(',')}}`;
}
