import { cloneJson } from '../json/clone-json.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { defineMember } from '../json/own-member.ts';
import { deepEqual } from '../schema/check/deep-equal.ts';

/** A value that is not what was written, as deep as the two can be compared. */
export interface ChangedPart {
  /** Names and indices from the root. */
  readonly path: readonly (string | number)[];
  readonly value: JsonValue;
  /** Whether a value of the same kind was written there. */
  readonly sameKind: boolean;
}

/** What differs between arguments and what was made of them, in document order; nothing is ever taken away. */
export function changedParts(before: JsonObject, made: JsonObject): readonly ChangedPart[] {
  const parts: ChangedPart[] = [];
  compare(before, made, [], parts);
  return parts;
}

function compare(
  before: JsonValue | undefined,
  value: JsonValue,
  path: readonly (string | number)[],
  parts: ChangedPart[],
): void {
  if (Array.isArray(before) && Array.isArray(value) && before.length === value.length) {
    const written: readonly JsonValue[] = before;
    for (const [index, item] of value.entries()) compare(written[index], item, [...path, index], parts);
  } else if (isJsonObject(before) && isJsonObject(value)) {
    for (const [name, item] of Object.entries(value))
      compare(Object.hasOwn(before, name) ? before[name] : undefined, item, [...path, name], parts);
  } else if (before === undefined || !deepEqual(before, value)) {
    parts.push({ path, value, sameKind: before !== undefined && kindOf(before) === kindOf(value) });
  }
}

/** A copy of arguments with other values for some parts. */
export function withParts(before: JsonObject, parts: readonly ChangedPart[]): JsonObject {
  const copy = cloneJson(before);
  for (const { path, value } of parts) {
    let holder: unknown = copy;
    for (let depth = 0; depth < path.length - 1; depth += 1)
      holder = Reflect.get(Object(holder), path[depth] ?? '');
    const last = path.at(-1) ?? '';
    // Defining a member is slow, and needed for one name alone.
    if (last === '__proto__') defineMember(Object(holder), last, value);
    else Reflect.set(Object(holder), last, value);
  }
  return copy;
}

function kindOf(value: JsonValue): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}
