import type { Loss } from '../src/codec/loss.ts';

/** Hints that are no content: their change is no loss. */
const HINTS = new Set(['origin', 'spelling']);

/** Counts of which none is known are no counts. */
const UNKNOWN = { inputTotal: null, cacheRead: null, cacheWrite: null, outputTotal: null, reasoning: null };

/**
 * Pointers at which two neutral values differ. Lists of different lengths differ as a whole. Absent and `undefined`,
 * an absent object and one without members, and for `isError` also `false`, are the same; so is the protocol of
 * extensions, whose members are compared. The name of a result is that of its call, whether the wire repeats it or not.
 */
export function differences(left: unknown, right: unknown, pointer = ''): readonly string[] {
  if (Object.is(left, right)) return [];
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return [pointer];
    return left.flatMap((value: unknown, index) => differences(value, right[index], `${pointer}/${index}`));
  }
  const before = membersOf(left);
  const after = membersOf(right);
  if (before === undefined || after === undefined || left === null || right === null) return [pointer];
  const names = new Set([...Object.keys(before), ...Object.keys(after)].filter((name) => !HINTS.has(name)));
  return [...names].flatMap((name) => {
    if (name === 'isError' && (before[name] ?? false) === (after[name] ?? false)) return [];
    if (name === 'name' && before['kind'] === 'tool-result') return [];
    if (name === 'usage')
      return differences(before[name] ?? UNKNOWN, after[name] ?? UNKNOWN, `${pointer}/usage`);
    if (name === 'protocol' && pointer.endsWith('/extensions')) return [];
    return differences(before[name], after[name], `${pointer}/${name}`);
  });
}

/** The differences that no loss explains: none at the place, around it, or, for a list, at an entry of it before. */
export function unexplained(pointers: readonly string[], losses: readonly Loss[]): readonly string[] {
  return pointers.filter((pointer) => !losses.some((loss) => covers(loss, pointer)));
}

function covers({ path, code }: Loss, pointer: string): boolean {
  if (path === pointer || pointer.startsWith(`${path}/`)) return true;
  if (code === 'synthesised') return false;
  // An entry that was dropped or moved, or whose part was, shifts what comes after it.
  return shifted(/^\/items\/(\d+)/.exec(path), '/items', pointer) || shiftedPart(path, pointer);
}

function shiftedPart(path: string, pointer: string): boolean {
  const found = /^(\/items\/\d+\/parts)\/(\d+)/.exec(path);
  return shifted(found === null ? null : ['', found[2] ?? ''], found?.[1] ?? '', pointer);
}

function shifted(found: readonly string[] | null, list: string, pointer: string): boolean {
  if (found === null) return false;
  if (pointer === list) return true;
  if (!pointer.startsWith(`${list}/`)) return false;
  return Number.parseInt(pointer.slice(list.length + 1), 10) > Number(found[1]);
}

function membersOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined) return {};
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
