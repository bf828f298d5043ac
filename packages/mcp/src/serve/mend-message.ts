import type { JsonObject, JsonValue } from '@toolgate/core';

/** Objects of `initialize` in which optional members stand at any depth. */
const HANDSHAKE: readonly string[] = ['capabilities', 'clientInfo'];
const MAX_DEPTH = 3;

/**
 * A message without optional members that are `null`, as clients write them whose language has no other word for what
 * is not set: `params`, their members, and what `_meta` and a handshake have in them. The arguments of a call are what
 * a model wrote, and stay as they are.
 */
export function mendMessage(message: JsonObject): JsonObject {
  const { params, ...rest } = message;
  if (params === undefined) return message;
  if (params === null) return rest;
  if (!isObject(params)) return message;
  const isHandshake = message['method'] === 'initialize';
  const mended = Object.entries(params).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === null) return [];
    const isLoose = name === '_meta' || (isHandshake && HANDSHAKE.includes(name));
    return [[name, isLoose && isObject(value) ? withoutNulls(value, MAX_DEPTH) : value]];
  });
  return { ...rest, params: Object.fromEntries(mended) };
}

function withoutNulls(object: JsonObject, depth: number): JsonObject {
  const kept = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      depth > 1 && isObject(value) ? withoutNulls(value, depth - 1) : value,
    ]),
  );
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
