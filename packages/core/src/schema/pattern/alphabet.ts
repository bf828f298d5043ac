import type { CharacterSet } from './character-set.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/**
 * Splits all characters into classes that no position of a pattern tells apart.
 *
 * @param sets - What each position reads.
 * @returns For each position the classes it reads, as numbers from 0. Characters that nobody reads have no class.
 * @throws OutOfWork above the budget.
 */
export function characterClasses(
  sets: readonly CharacterSet[],
  budget: WorkBudget,
): readonly (readonly number[])[] {
  const keys = sets.map((set) => set.ranges.join(' '));
  const distinct = new Map(sets.map((set, index) => [keys[index] ?? '', set] as const));
  const classesOf = new Map<string, number[]>();
  const classOf = new Map<string, number>();
  const active = new Set<string>();
  for (const [, toggled] of edgesOf(distinct)) {
    for (const key of toggled) if (!active.delete(key)) active.add(key);
    spend(budget, active.size);
    if (active.size === 0) continue;
    const signature = [...active].toSorted().join('|');
    if (classOf.has(signature)) continue;
    const number = classOf.size;
    classOf.set(signature, number);
    for (const key of active) classesOf.set(key, [...(classesOf.get(key) ?? []), number]);
  }
  return keys.map((key) => classesOf.get(key) ?? []);
}

/** The characters at which sets begin or end, in order, each with the keys of those sets. */
function edgesOf(
  distinct: ReadonlyMap<string, CharacterSet>,
): readonly (readonly [number, readonly string[]])[] {
  const edges = new Map<number, string[]>();
  const toggle = (character: number, key: string): void => {
    const keys = edges.get(character);
    if (keys === undefined) edges.set(character, [key]);
    else keys.push(key);
  };
  for (const [key, set] of distinct) {
    for (const [first, last] of set.ranges) {
      toggle(first, key);
      toggle(last + 1, key);
    }
  }
  return [...edges].toSorted(([left], [right]) => left - right);
}
