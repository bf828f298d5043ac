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

/** Values that were found frozen to the last one; they stay so, and clients offer the same tools again and again. */
const frozen = new WeakSet<object>();

function isDeeplyFrozen(root: object): boolean {
  const waiting: object[] = [root];
  const seen: object[] = [];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (frozen.has(value)) continue;
    if (!Object.isFrozen(value)) return false;
    seen.push(value);
    for (const member of Object.values(value) as readonly unknown[]) {
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  for (const value of seen) frozen.add(value);
  return true;
}
