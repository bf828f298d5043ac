import type { ChangedPart } from './changed-parts.ts';

type Parts = readonly ChangedPart[];
/** `undefined` when that would be too much work to say. */
type Holds = (parts: Parts) => boolean | undefined;

/**
 * Of some parts those that hold together, looked for in halves: one that does not hold takes no other one with it.
 *
 * @param groups - What stands or falls together at first.
 * @param closely - Whether the parts of one group are looked for, too.
 * @returns `undefined` when that was too much work.
 */
export function holding(groups: readonly Parts[], holds: Holds, closely: boolean): Parts | undefined {
  let held: Parts = [];
  const waiting: (readonly Parts[])[] = [groups];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const more = [...held, ...next.flat()];
    if (more.length === held.length) continue;
    const verdict = holds(more);
    if (verdict === undefined) return undefined;
    if (verdict) {
      held = more;
      continue;
    }
    const [only = []] = next;
    const finer = closely && next.length === 1 ? only.map((part) => [part]) : next;
    const middle = finer.length >> 1;
    if (middle > 0) waiting.push(finer.slice(middle), finer.slice(0, middle));
  }
  return held;
}

/** Parts by the member of the arguments that they stand in. */
export function byMember(parts: Parts): readonly Parts[] {
  const groups = new Map<unknown, ChangedPart[]>();
  for (const part of parts) {
    const group = groups.get(part.path[0]);
    if (group === undefined) groups.set(part.path[0], [part]);
    else group.push(part);
  }
  return [...groups.values()];
}
