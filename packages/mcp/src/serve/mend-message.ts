import type { JsonObject, JsonValue } from '@toolgate/core';
import { isEmptyList, isObject } from '../value-shape.ts';
import { withoutNulls } from '../without-nulls.ts';

/** Objects of `initialize` in which optional members stand at any depth. */
const HANDSHAKE: readonly string[] = ['capabilities', 'clientInfo'];
/** Objects of params that some clients write as the empty list where they are empty. */
const OBJECTS: readonly string[] = ['_meta', 'arguments', ...HANDSHAKE];
const MAX_DEPTH = 3;

/**
 * A message without optional members that are `null`, as clients write them whose language has no other word for what
 * is not set: `params`, their members, what `_meta` and a handshake have in them, the members of an answer, and the id
 * of what has none. The empty list, which is all that PHP writes for an empty object, is one where an object has to be.
 * Anything else in the arguments of a call is what a model wrote, and stays as it is.
 */
export function mendMessage(message: JsonObject): JsonObject {
  const envelope = mendEnvelope(message);
  const { params, ...rest } = envelope;
  if (params === null || (params !== undefined && isEmptyList(params))) return rest;
  if (params === undefined || !isObject(params)) return envelope;
  const isHandshake = message['method'] === 'initialize';
  const mended = Object.entries(params).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === null) return [];
    if (isEmptyList(value) && OBJECTS.includes(name)) return [[name, {}]];
    if (!isObject(value)) return [[name, value]];
    if (name === 'capabilities' && isHandshake) return [[name, announced(value)]];
    const isLoose = name === '_meta' || (isHandshake && HANDSHAKE.includes(name));
    return [[name, isLoose ? withoutNulls(value, MAX_DEPTH) : value]];
  });
  return { ...rest, params: Object.fromEntries(mended) };
}

function mendEnvelope(message: JsonObject): JsonObject {
  const { method } = message;
  if (typeof method !== 'string') return message;
  const isNotice = method.startsWith('notifications/');
  const isUnset = ([name, value]: readonly [string, JsonValue]): boolean =>
    value === null && (name === 'result' || name === 'error' || (name === 'id' && isNotice));
  const members = Object.entries(message);
  return members.some(isUnset) ? Object.fromEntries(members.filter((member) => !isUnset(member))) : message;
}

/** What a client can do. It says yes to a capability by an object, or by the word. */
function announced(capabilities: JsonObject): JsonObject {
  const entries = Object.entries(withoutNulls(capabilities, MAX_DEPTH));
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === false ? [] : [[name, value === true || isEmptyList(value) ? {} : value]],
    ),
  );
}
