import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { ModelError, type ModelErrorCode } from '../model-error.ts';

/** Reads foreign JSON by shape and refuses what has another, with the place. */
export interface WireReader {
  /** @throws ModelError with the reader's code; the message names the place and never holds a value. */
  fail(pointer: string, problem: string): never;
  object(value: JsonValue | undefined, pointer: string): JsonObject;
  array(value: JsonValue | undefined, pointer: string): readonly JsonValue[];
  /** The same where a text was possible, too, and is none. */
  parts(value: JsonValue | undefined, pointer: string): readonly JsonValue[];
  string(value: JsonValue | undefined, pointer: string): string;
  /** `undefined` and `null` stay what they are. */
  optional<Kind extends keyof WireKinds>(
    kind: Kind,
    value: JsonValue | undefined,
    pointer: string,
  ): WireKinds[Kind] | null | undefined;
  /** The own member of an object, which stands at the pointer; absent and `null` are `undefined`. */
  member<Kind extends keyof WireKinds>(
    kind: Kind,
    object: JsonObject,
    name: string,
    pointer: string,
  ): WireKinds[Kind] | undefined;
}

/** The shapes that {@link WireReader.optional} knows. */
export interface WireKinds {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly object: JsonObject;
  readonly array: readonly JsonValue[];
}

/** Makes a reader whose refusals have the given code. */
export function createWireReader(code: ModelErrorCode): WireReader {
  const fail = (pointer: string, problem: string): never => {
    throw new ModelError(code, `${pointer === '' ? 'The body' : pointer} ${problem}.`, { pointer });
  };
  const reader: WireReader = {
    fail,
    object: (value, pointer) => (isJsonObject(value) ? value : fail(pointer, 'must be an object')),
    array: (value, pointer) => (isJsonArray(value) ? value : fail(pointer, 'must be an array')),
    parts: (value, pointer) => (isJsonArray(value) ? value : fail(pointer, 'must be a string or an array')),
    string: (value, pointer) => (typeof value === 'string' ? value : fail(pointer, 'must be a string')),
    optional(kind, value, pointer) {
      if (value === undefined || value === null) return value;
      return hasKind(kind, value) ? value : fail(pointer, `must be of type ${kind}`);
    },
    member(kind, object, name, pointer) {
      const value = memberOf(object, name);
      if (value === undefined || value === null) return undefined;
      // The place of a member is written out only where it is told.
      return hasKind(kind, value) ? value : fail(`${pointer}/${name}`, `must be of type ${kind}`);
    },
  };
  return Object.freeze(reader);
}

/** Whether a JSON value is an array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The own member of a foreign object, never one of its prototype. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  const value = object[name];
  // Most members that are asked for are absent, and then nobody has to ask whose it is.
  return value !== undefined && Object.hasOwn(object, name) ? value : undefined;
}

/** The own member as text, or `undefined` where it is anything else. */
export function textOf(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : undefined;
}

/** The members of a foreign object that nobody read, or `undefined` when there are none. */
export function unreadMembers(object: JsonObject, read: ReadonlySet<string>): JsonObject | undefined {
  let rest: Record<string, JsonValue> | undefined;
  // No list of names is made: nearly always all of them are read.
  for (const name in object) {
    if (read.has(name) || !Object.hasOwn(object, name)) continue;
    rest ??= {};
    setMember(rest, name, object[name] ?? null);
  }
  return rest;
}

/** Sets an own member whatever its name is, `__proto__` included. */
export function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') {
    object[name] = value;
    return;
  }
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function hasKind<Kind extends keyof WireKinds>(
  kind: Kind,
  value: JsonValue,
): value is JsonValue & WireKinds[Kind] {
  if (kind === 'object') return isJsonObject(value);
  return kind === 'array' ? isJsonArray(value) : typeof value === kind;
}
