/**
 * Whether two values are the same data: the same scalars, members in the same order, absent and `undefined` told
 * apart. Takes no stack, however deep the values are.
 *
 * @param known - A tree; the other value may be anything.
 */
export function sameData(known: unknown, other: unknown): boolean {
  const waiting: [unknown, unknown][] = [[known, other]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null)
      return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const members = Object.entries(left);
    const others = Object.entries(right);
    if (members.length !== others.length) return false;
    for (const [at, [name, value]] of members.entries()) {
      const [otherName, otherValue] = others[at] ?? [];
      if (name !== otherName) return false;
      waiting.push([value, otherValue]);
    }
  }
  return true;
}
