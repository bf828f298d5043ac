import { cloneJson, freezeJson, type JsonValue } from '@toolgate/core';

/**
 * Plain data that nobody can change: the value itself where it is deeply frozen, as codecs make it, and a deeply frozen
 * copy otherwise.
 */
export function ownData<Value extends object>(value: Value): Value;
export function ownData(value: object): object {
  if (isDeeplyFrozen(value)) return value;
  // A boundary: calls are JSON values, members with `undefined` included.
  return freezeJson(cloneJson(value as JsonValue)) as object;
}

/** Tools and the like that were found frozen to the last value in them. They stay so, and may come again. */
const known = new WeakSet<object>();

function isDeeplyFrozen(root: object): boolean {
  if (!Array.isArray(root)) return isKnown(root);
  return (
    Object.isFrozen(root) &&
    root.every((entry) => typeof entry !== 'object' || entry === null || isKnown(entry))
  );
}

function isKnown(root: object): boolean {
  if (known.has(root)) return true;
  const waiting: object[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (!Object.isFrozen(value)) return false;
    for (const member of Object.values(value) as readonly unknown[]) {
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  known.add(root);
  return true;
}
