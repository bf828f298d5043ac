import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { isPlainObject, refuseInstance, unbox } from './instance-form.ts';
import type { JsonValue } from './json-value.ts';
import { mendText } from './mend-text.ts';
import { defineMember } from './own-member.ts';
import { toWriteRules, type WriteJsonOptions, type WriteRules } from './write-rules.ts';
import {
  enter,
  failWriting,
  leave,
  type OpenHolder,
  startWriting,
  toWriteError,
  type Writing,
} from './writing.ts';

/**
 * The JSON value that a value stands for, as a copy that the caller owns: not frozen, sharing nothing with the original.
 * Accepts and refuses exactly what `writeJson` does; `maxBytes` is compared with the least that the text may have.
 *
 * @throws {@link JsonError} as `writeJson` does.
 */
export function toJsonValue(value: unknown, options?: WriteJsonOptions): JsonValue {
  return copyJson(value, toWriteRules(options));
}

/** The copy by the given rules. Members are read once, in document order. */
export function copyJson(value: unknown, rules: WriteRules): JsonValue {
  return copyInto(startWriting(rules), value);
}

/** The same for a walk of the caller, who reads from it afterwards what was mended. */
export function copyInto(writing: Writing, value: unknown): JsonValue {
  try {
    const copy = copyValue(writing, value, '');
    return copy === undefined ? failWriting(writing, 'json/unsupported-value', 'undefined') : copy;
  } catch (error) {
    throw toWriteError(writing, error);
  }
}

/**
 * One step of the walk: a copy of a value that is a member by this name, or an item. `undefined` where there is nothing to
 * write. Throws what the caller hands to `toWriteError`.
 */
export function copyValue(writing: Writing, value: unknown, name: string): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
      return copyString(writing, value);
    case 'number':
      spend(writing, 1);
      return Number.isFinite(value) ? value : failWriting(writing, 'json/unsupported-value', String(value));
    case 'boolean':
      spend(writing, 4);
      return value;
    case 'undefined':
      return undefined;
    case 'object':
      if (value !== null) return copyObject(writing, value, name);
      spend(writing, 4);
      return null;
    case 'bigint':
    case 'symbol':
    case 'function':
      return failWriting(writing, 'json/unsupported-value', typeof value);
  }
}

function copyString(writing: Writing, text: string): string {
  spend(writing, text.length + 2);
  if (text.isWellFormed()) return text;
  if (!writing.rules.mended) return failWriting(writing, 'json/lone-surrogate');
  const mended = mendText(text);
  writing.mended += mended.count;
  return mended.text;
}

/** A name as it is written. Mending may not make two members one: that would drop a value. */
function copyName(writing: Writing, name: string, holder: object, copy: object): string {
  const own = copyString(writing, name);
  return own !== name && (Object.hasOwn(holder, own) || Object.hasOwn(copy, own))
    ? failWriting(writing, 'json/lone-surrogate')
    : own;
}

function copyObject(writing: Writing, given: object, name: string): JsonValue | undefined {
  const toJson = read(given, 'toJSON');
  return typeof toJson === 'function'
    ? copyByMethod(writing, given, toJson, name)
    : copyContainer(writing, given);
}

/** The step for an object that has a `toJSON`. */
export function copyByMethod(
  writing: Writing,
  given: object,
  toJson: CallableFunction,
  name: string,
): JsonValue | undefined {
  if (given instanceof Date && Number.isNaN(given.getTime())) {
    return failWriting(writing, 'json/unsupported-value', 'an invalid Date');
  }
  // A list of a number for each byte is not what anybody wants to read, and no other bytes are written so.
  if (ArrayBuffer.isView(given)) {
    return failWriting(writing, 'json/unsupported-value', refuseInstance(given, 0));
  }
  const value: unknown = Reflect.apply(toJson, given, [name]);
  // Asked once, as JSON.stringify does: a result with a `toJSON` of its own is taken as it is.
  return typeof value === 'object' && value !== null
    ? copyContainer(writing, value)
    : copyValue(writing, value, name);
}

/** The step for an object whose `toJSON`, if it has one, was asked or is no function. */
export function copyContainer(writing: Writing, holder: object): JsonValue | undefined {
  if (Array.isArray(holder)) return copyArray(writing, holder);
  if (isPlainObject(holder)) return copyMembers(writing, holder, Object.keys(holder));
  const value = unbox(holder);
  if (typeof value !== 'object' || value === null) return copyValue(writing, value, '');
  const names = Object.keys(holder);
  const refusal = refuseInstance(holder, names.length);
  if (refusal !== undefined) {
    ignoreThrown(holder);
    return failWriting(writing, 'json/unsupported-value', refusal);
  }
  return copyMembers(writing, holder, names);
}

function copyArray(writing: Writing, holder: readonly unknown[]): JsonValue {
  const copy: JsonValue[] = [];
  const open = enter(writing, holder);
  spend(writing, 2);
  for (let index = 0; index < holder.length; index++) {
    open.at = index;
    const item = copyValue(writing, holder[index], '');
    if (item === undefined)
      return failWriting(writing, 'json/unsupported-value', 'undefined or a hole in an array');
    copy.push(item);
  }
  leave(writing, open);
  return copy;
}

function copyMembers(writing: Writing, holder: object, names: string[]): JsonValue {
  const copy: Record<string, JsonValue> = {};
  const open = enter(writing, holder);
  spend(writing, 2);
  if (writing.rules.sorted) names.sort();
  addMembers(writing, open, names, copy);
  leave(writing, open);
  return copy;
}

/** Copies members of an open object into its copy. */
export function addMembers(
  writing: Writing,
  open: OpenHolder,
  names: readonly string[],
  copy: Record<string, JsonValue>,
): void {
  for (const name of names) {
    open.at = name;
    addMember(writing, open, name, copyValue(writing, read(open.holder, name), name), copy);
  }
}

/** The same for one whose value was copied; nothing where there was nothing. */
export function addMember(
  writing: Writing,
  open: OpenHolder,
  name: string,
  member: JsonValue | undefined,
  copy: Record<string, JsonValue>,
): void {
  if (member === undefined) return;
  const own = copyName(writing, name, open.holder, copy);
  if (own === '__proto__') defineMember(copy, own, member);
  else copy[own] = member;
}

/** The only look at the value; a getter, a proxy and `toJSON` may throw here. */
export function read(holder: object, name: string): unknown {
  return (holder as Readonly<Record<string, unknown>>)[name];
}

/** Takes the least that a value can have off what may still come. */
export function spend(writing: Writing, bytes: number): void {
  writing.budget -= bytes;
  if (writing.budget < 0) failWriting(writing, 'json/too-large', `at most ${writing.rules.maxBytes}`);
}
