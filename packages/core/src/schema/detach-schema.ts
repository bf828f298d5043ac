import { joinPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { defineMember } from '../json/own-member.ts';
import { SchemaError } from './schema-error.ts';

/** Nesting at which a schema is refused whatever the limits say, so that no later walk can overflow the stack. */
const maxDepth = 1_024;
/** Values at which a schema is refused whatever the limits say. */
const maxValues = 1_000_000;

interface Detaching {
  /** Values that may still come; a shared branch counts once per use. */
  left: number;
  /** The objects and arrays around the current value, outermost first. */
  readonly open: object[];
  /** The place of the current value. */
  readonly path: (string | number)[];
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
  const state: Detaching = { left: Math.min(maxBytes, maxValues), open: [], path: [] };
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
    if (!input.isWellFormed()) throw refusal(state, 'The schema holds a lone surrogate');
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
    state.path.push(index);
    copy.push(detach(input[index], state));
    state.path.pop();
  }
  state.open.pop();
  return copy;
}

function detachObject(input: object, state: Detaching): JsonObject {
  enter(input, state);
  const prototype: unknown = Object.getPrototypeOf(input);
  if (prototype !== null && !isPlain(prototype)) {
    throw refusal(state, 'The schema holds a class instance; only plain objects carry a schema');
  }
  const copy: Record<string, JsonValue> = {};
  const members: readonly (readonly [string, unknown])[] = Object.entries(input);
  for (const [name, value] of members) {
    if (value === undefined) continue;
    if (!name.isWellFormed()) throw refusal(state, 'The schema holds a lone surrogate in a member name');
    state.path.push(name);
    const item = detach(value, state);
    // An assignment to `__proto__` would set the prototype.
    if (name === '__proto__') defineMember(copy, name, item);
    else copy[name] = item;
    state.path.pop();
  }
  state.open.pop();
  return copy;
}

function enter(input: object, state: Detaching): void {
  if (state.open.length >= maxDepth) throw endless(state);
  state.open.push(input);
}

/** Looked for only now: an object that contains itself is always nested too deeply as well. */
function endless({ open, path }: Detaching): SchemaError {
  const seen = new Set<object>();
  for (const [depth, object] of open.entries()) {
    if (seen.has(object)) {
      const pointer = joinPointer(path.slice(0, depth));
      return new SchemaError(
        'schema/not-a-schema',
        'The schema object contains itself; say recursion with $ref',
        { pointer },
      );
    }
    seen.add(object);
  }
  return new SchemaError('schema/too-deep', `The schema is nested deeper than ${maxDepth} levels`, {
    pointer: joinPointer(path),
  });
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
