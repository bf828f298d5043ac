import { joinPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { SchemaError } from './schema-error.ts';

/** Nesting at which a schema is refused whatever the limits say, so that no later walk can overflow the stack. */
const maxDepth = 1_024;
/** Values at which a schema is refused whatever the limits say. */
const maxValues = 1_000_000;

const loneSurrogate = /\p{Surrogate}/u;

interface Detaching {
  /** Values that may still come; a shared branch counts once per use. */
  left: number;
  readonly open: Set<object>;
  readonly path: string[];
}

/**
 * Copies a schema as an author wrote it into plain JSON that nobody else holds. Each member is read once;
 * members that are `undefined` are left out, as `JSON.stringify` does. The input is never changed.
 *
 * @param maxBytes - Bounds the work; it is not the final verdict on the size.
 * @throws {@link SchemaError} `schema/not-a-schema` for anything but a plain object or boolean, for a value that
 * JSON cannot carry, a cycle, or a getter that throws; `schema/too-deep`, `schema/too-large`.
 */
export function detachSchema(input: unknown, maxBytes: number = maxValues): JsonObject | boolean {
  if (typeof input === 'boolean') return input;
  // No text has more values than bytes.
  const state: Detaching = { left: Math.min(maxBytes, maxValues), open: new Set(), path: [] };
  if (typeof input !== 'object' || input === null) {
    throw refusal(state, `A schema is an object or a boolean, not ${nameOf(input)}`);
  }
  try {
    if (Array.isArray(input)) throw refusal(state, 'A schema is an object or a boolean, not an array');
    return detachObject(input, state);
  } catch (error) {
    if (SchemaError.is(error)) throw error;
    // A getter or a proxy trap threw; its error may say anything, so it is kept as cause only.
    const pointer = joinPointer(state.path);
    throw new SchemaError('schema/not-a-schema', 'Reading the schema threw', { pointer, cause: error });
  }
}

function detach(input: unknown, state: Detaching): JsonValue {
  state.left -= 1;
  if (state.left < 0)
    throw new SchemaError(
      'schema/too-large',
      'The schema has more values than its limit has bytes (maxBytes)',
    );
  if (typeof input === 'boolean' || input === null) return input;
  if (typeof input === 'string') {
    if (loneSurrogate.test(input)) throw refusal(state, 'The schema holds a lone surrogate');
    return input;
  }
  if (typeof input === 'number') {
    if (!Number.isFinite(input)) throw refusal(state, 'The schema holds a number that is not finite');
    return input;
  }
  if (typeof input !== 'object')
    throw refusal(state, `The schema holds ${nameOf(input)}, which JSON cannot carry`);
  return Array.isArray(input) ? detachArray(input, state) : detachObject(input, state);
}

function detachArray(input: readonly unknown[], state: Detaching): readonly JsonValue[] {
  enter(input, state);
  const copy: JsonValue[] = [];
  const { length } = input;
  for (let index = 0; index < length; index += 1) {
    state.path.push(String(index));
    copy.push(detach(input[index], state));
    state.path.pop();
  }
  state.open.delete(input);
  return copy;
}

function detachObject(input: object, state: Detaching): JsonObject {
  enter(input, state);
  const prototype: unknown = Object.getPrototypeOf(input);
  if (prototype !== null && !isPlain(prototype)) {
    throw refusal(state, 'The schema holds a class instance; only plain objects carry a schema');
  }
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(input)) {
    const value: unknown = Reflect.get(input, name);
    if (value === undefined) continue;
    if (loneSurrogate.test(name)) throw refusal(state, 'The schema holds a lone surrogate in a member name');
    state.path.push(name);
    define(copy, name, detach(value, state));
    state.path.pop();
  }
  state.open.delete(input);
  return copy;
}

function enter(input: object, state: Detaching): void {
  if (state.open.has(input))
    throw refusal(state, 'The schema object contains itself; say recursion with $ref');
  if (state.open.size >= maxDepth) {
    throw new SchemaError('schema/too-deep', `The schema is nested deeper than ${maxDepth} levels`, {
      pointer: joinPointer(state.path),
    });
  }
  state.open.add(input);
}

/** An own member even for `__proto__`, where an assignment would set the prototype. */
function define(target: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}

/** Whether a prototype is `Object.prototype` of any realm: the one object whose own prototype is null. */
function isPlain(prototype: unknown): boolean {
  return typeof prototype === 'object' && prototype !== null && Object.getPrototypeOf(prototype) === null;
}

function nameOf(input: unknown): string {
  return input === undefined ? 'undefined' : input === null ? 'null' : `a ${typeof input}`;
}

function refusal(state: Detaching, message: string): SchemaError {
  return new SchemaError('schema/not-a-schema', message, { pointer: joinPointer(state.path) });
}
