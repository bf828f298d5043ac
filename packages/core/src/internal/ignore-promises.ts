/** Values that are looked at; more promises than that are nobody's slip. */
const MOST = 10_000;

/**
 * Takes what becomes of every promise that is somewhere in a value which is given up: a list of promises that nobody waited
 * for is a common slip, and the first of them that is rejected would end the process. Looks at own members only, runs
 * no getter, and never throws.
 */
export function ignorePromises(value: unknown): void {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  try {
    while (waiting.length > 0 && seen.size < MOST) {
      const next = waiting.pop();
      if (typeof next !== 'object' || next === null || seen.has(next)) continue;
      seen.add(next);
      if (next instanceof Promise) void Promise.prototype.then.call(next, undefined, () => {});
      else addMembers(next, waiting);
    }
  } catch {
    // A proxy that does not let itself be looked at.
  }
}

function addMembers(holder: object, waiting: unknown[]): void {
  for (const name of Object.keys(holder)) {
    if (waiting.length >= MOST) return;
    waiting.push(Object.getOwnPropertyDescriptor(holder, name)?.value);
  }
}
