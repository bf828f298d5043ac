import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import { deepEqual } from '../schema/check/deep-equal.ts';

/** How many parts may still be looked at. */
export interface PartBudget {
  parts: number;
}

/**
 * What a validator made of a value, as far as it is of JSON: in the place of anything else (a date, a set) stands what was
 * written. `undefined` where there is neither.
 */
export function tidied(
  written: JsonValue | undefined,
  made: unknown,
  budget: PartBudget,
): JsonValue | undefined {
  budget.parts -= 1;
  if (typeof made !== 'object' || made === null) return isScalar(made) ? made : written;
  if (budget.parts < 0 || !hasPlainPrototype(made)) return written;
  if (Array.isArray(made)) {
    const list: readonly unknown[] = made;
    const before = Array.isArray(written) && written.length === list.length ? written : undefined;
    if (before === undefined) return isPlain(list, budget) ? (made as JsonValue) : written;
    return list.map((item, index) => tidied(before[index], item, budget) ?? null);
  }
  if (!isJsonObject(written)) return isPlain(made, budget) ? (made as JsonValue) : written;
  const result: Record<string, JsonValue> = { ...written };
  for (const [name, { enumerable, value }] of Object.entries(Object.getOwnPropertyDescriptors(made))) {
    const member = tidied(Object.hasOwn(written, name) ? written[name] : undefined, value, budget);
    if (enumerable === true && member !== undefined) result[name] = member;
  }
  return result;
}

/** Of a tidied value what a second pass left as it was; elsewhere what was written. */
export function lasting(
  written: JsonValue | undefined,
  tidy: JsonValue,
  again: JsonValue | undefined,
): JsonValue | undefined {
  if (again !== undefined && deepEqual(tidy, again)) return tidy;
  if (Array.isArray(written) && Array.isArray(tidy) && Array.isArray(again)) {
    const [before, first, second]: readonly (readonly JsonValue[])[] = [written, tidy, again];
    if (before?.length !== first?.length || first?.length !== second?.length) return written;
    return first?.map((item, index) => lasting(before?.[index], item, second?.[index]) ?? null);
  }
  if (!isJsonObject(written) || !isJsonObject(tidy) || !isJsonObject(again)) return written;
  const result: Record<string, JsonValue> = { ...written };
  for (const [name, value] of Object.entries(tidy)) {
    const member = lasting(
      Object.hasOwn(written, name) ? written[name] : undefined,
      value,
      Object.hasOwn(again, name) ? again[name] : undefined,
    );
    if (member !== undefined) result[name] = member;
  }
  return result;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  );
}

/**
 * Whether a value is made of nothing but what JSON has. Reads no member that is computed. What is too large for the budget
 * takes nothing of it, so that what stands beside it is looked at all the same.
 */
function isPlain(value: object, budget: PartBudget): boolean {
  const waiting: unknown[] = [value];
  let { parts } = budget;
  while (waiting.length > 0) {
    const next = waiting.pop();
    parts -= 1;
    if (typeof next !== 'object' || next === null) {
      if (!isScalar(next)) return false;
      continue;
    }
    const members = Object.values(Object.getOwnPropertyDescriptors(next));
    if (parts < members.length || !hasPlainPrototype(next)) return false;
    for (const member of members) {
      if (!('value' in member)) return false;
      waiting.push(member.value);
    }
  }
  budget.parts = parts;
  return true;
}

function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || prototype === Array.prototype;
}
