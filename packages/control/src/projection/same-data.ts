/**
 * Whether two values are the same data: the same scalars, members in the same order, absent and `undefined` told
 * apart. Takes no stack, however deep the values are, and no look at what both share.
 *
 * @param known - A tree; the other value may be anything.
 */
export function sameData(known: unknown, other: unknown): boolean {
  if (Object.is(known, other)) return true;
  const waiting: unknown[] = [known, other];
  while (waiting.length > 0) {
    const right = waiting.pop();
    const left = waiting.pop();
    if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null)
      return false;
    const same = Array.isArray(left)
      ? Array.isArray(right) && sameEntries(left, right, waiting)
      : !Array.isArray(right) && sameMembers(left, right, waiting);
    if (!same) return false;
  }
  return true;
}

/** What is not the very same waits to be looked at. */
function sameEntries(left: readonly unknown[], right: readonly unknown[], waiting: unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at += 1) {
    if (!Object.is(left[at], right[at])) waiting.push(left[at], right[at]);
  }
  return true;
}

function sameMembers(left: object, right: object, waiting: unknown[]): boolean {
  const names = Object.keys(left);
  const others = Object.keys(right);
  if (names.length !== others.length) return false;
  const [known, other] = [
    left as Readonly<Record<string, unknown>>,
    right as Readonly<Record<string, unknown>>,
  ];
  for (const [at, name] of names.entries()) {
    if (name !== others[at]) return false;
    const [value, otherValue] = [known[name], other[name]];
    if (!Object.is(value, otherValue)) waiting.push(value, otherValue);
  }
  return true;
}
