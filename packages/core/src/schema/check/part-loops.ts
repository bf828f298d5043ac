import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonArray, JsonValue } from '../../json/json-value.ts';
import type { Part } from './part.ts';
import { type Check, overdraw, type Run } from './run.ts';
import { typeOf } from './type-set.ts';

// The two loops that most of the time of a validation is spent in. What they call stands in this file, and the
// account is kept by hand: an imported function is looked up anew for each member.

/** The members that an object may have when nothing but their names is said about it. */
export interface DeclaredMembers {
  readonly parts: readonly Part[];
  /** Number of required members among the parts. */
  readonly needed: number;
  /** Whether other members are refused. */
  readonly closed: boolean;
  /** The answer for values that are no objects. */
  readonly others: boolean;
}

/** Walks the members that are there once: tests those that are declared, counts the required ones. */
export function memberLoop({ parts, needed, closed, others }: DeclaredMembers): Check {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const price = 1 + (parts.length >> 2);
  return (value, run) => {
    if (!isJsonObject(value)) return others;
    // What is known costs as much as the schema says; what is not is paid for where it is met.
    run.steps -= price;
    if (run.steps < 0) overdraw(run);
    let found = 0;
    let next = 0;
    for (const name in value) {
      const item = value[name];
      if (item === undefined) continue;
      // Members mostly come in the order of the schema; then no look-up is needed.
      let part = parts[next];
      if (part !== undefined && part.name === name) {
        next += 1;
      } else {
        part = byName.get(name);
        if (part === undefined) {
          if (closed) return false;
          run.steps -= 1;
          if (run.steps < 0) overdraw(run);
          continue;
        }
        next = part.position;
      }
      if (!passes(part, item, run)) return false;
      found += part.weight;
    }
    return found === needed;
  };
}

/** The items that an array may have when the same is said about all of them. */
export interface EqualItems {
  readonly part: Part;
  readonly minimum: number;
  readonly maximum: number;
  /** The answer for values that are no arrays. */
  readonly others: boolean;
}

/** Tests every item of an array by the same part. */
export function itemLoop({ part, minimum, maximum, others }: EqualItems): Check {
  const { check, kind } = part;
  if (kind === 'string') {
    return (value, run) => (isArray(value) ? areStrings(value, minimum, maximum, run) : others);
  }
  return (value, run) => {
    if (!isArray(value)) return others;
    const { length } = value;
    if (length < minimum || length > maximum) return false;
    run.steps -= length;
    if (run.steps < 0) overdraw(run);
    if (kind === 'closure') {
      for (let index = 0; index < length; index += 1) {
        const item = value[index];
        if (item === undefined || !check(item, run)) return false;
      }
    } else if (kind !== 'any') {
      for (let index = 0; index < length; index += 1) {
        const item = value[index];
        if (item === undefined || !passes(part, item, run)) return false;
      }
    }
    return true;
  };
}

/** Tests one part. Kept small, so that it is inlined into the loops; the value's type comes first, as it decides most. */
export function passes(part: Part, value: JsonValue, run: Run): boolean {
  const { kind } = part;
  if (typeof value === 'string') {
    if (kind === 'string') return true;
    if (kind === 'short-string' && value.length >= part.minimum && value.length <= part.maximum) return true;
  } else if (typeof value === 'number') {
    if (kind === 'number') return true;
    if (kind === 'integer') return Number.isInteger(value);
    if (kind === 'integer-range')
      return Number.isInteger(value) && value >= part.minimum && value <= part.maximum;
    if (kind === 'number-range') return value >= part.minimum && value <= part.maximum;
  } else if (kind === 'boolean') {
    return typeof value === 'boolean';
  }
  switch (kind) {
    case 'closure':
    case 'short-string':
      return part.check(value, run);
    case 'strings':
      return isArray(value) && areStrings(value, part.minimum, part.maximum, run);
    case 'any':
      return true;
    case 'types':
      return (typeOf(value) & part.types) !== 0;
    case 'values':
      return part.values.has(value);
    case 'string':
    case 'boolean':
    case 'integer':
    case 'integer-range':
    case 'number':
    case 'number-range':
      // What they ask for passed above.
      return false;
  }
}

function areStrings(list: JsonArray, minimum: number, maximum: number, run: Run): boolean {
  const { length } = list;
  if (length < minimum || length > maximum) return false;
  run.steps -= length;
  if (run.steps < 0) overdraw(run);
  for (let index = 0; index < length; index += 1) if (typeof list[index] !== 'string') return false;
  return true;
}

function isArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}
