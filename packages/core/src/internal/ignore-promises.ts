import { ignoreThrown } from './ignore-thrown.ts';

/** Members that are looked at in all; more promises than that are nobody's slip. */
const MOST = 100_000;

/**
 * Takes what becomes of every promise that is somewhere in a value which is given up: a list of promises that nobody waited
 * for is a common slip, and the first of them that is rejected would end the process. Looks at own members only, runs
 * no getter, and never throws.
 */
export function ignorePromises(value: unknown): void {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [value];
  let left = MOST;
  try {
    while (waiting.length > 0 && left > 0) {
      const next = waiting.pop();
      if (typeof next !== 'object' || next === null || seen.has(next)) continue;
      seen.add(next);
      if (next instanceof Promise) {
        void Promise.prototype.then.call(next, undefined, ignoreThrown);
        continue;
      }
      for (const name of namesIn(next, left)) {
        left -= 1;
        const member: unknown = Object.getOwnPropertyDescriptor(next, name)?.value;
        if (typeof member === 'object' && member !== null) waiting.push(member);
      }
    }
  } catch {
    // A proxy that does not let itself be looked at.
  }
}

/** Bytes and lists may have millions of members: their names are not written out. */
function* namesIn(holder: object, most: number): Iterable<PropertyKey> {
  if (ArrayBuffer.isView(holder) || holder instanceof String) return;
  if (Array.isArray(holder)) {
    for (let index = 0; index < holder.length && index < most; index += 1) yield index;
  } else yield* Object.keys(holder).slice(0, most);
}
