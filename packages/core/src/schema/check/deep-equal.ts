import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray } from '../member.ts';

/** Whether two values are equal in the data model of JSON Schema (Core 4.2.2): 1 is 1.0, member order is nothing. */
export function deepEqual(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (isJsonArray(left)) {
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => same(item, right[index]))
    );
  }
  if (isJsonArray(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && same(left[name], right[name]));
}

function same(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left !== undefined && right !== undefined && deepEqual(left, right);
}
