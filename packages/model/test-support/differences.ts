import type { Loss } from '../src/codec/loss.ts';

/** Hints that are no content: their change is no loss. */
const HINTS = new Set(['origin', 'spelling']);

/**
 * Pointers at which two neutral values differ. Lists of different lengths differ as a whole. Absent and `undefined`,
 * and for `isError` also `false`, are the same.
 */
export function differences(left: unknown, right: unknown, pointer = ''): readonly string[] {
  if (Object.is(left, right)) return [];
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return [pointer];
    return left.flatMap((value: unknown, index) => differences(value, right[index], `${pointer}/${index}`));
  }
  if (!isObject(left) || !isObject(right)) return [pointer];
  const names = new Set([...Object.keys(left), ...Object.keys(right)].filter((name) => !HINTS.has(name)));
  return [...names].flatMap((name) => {
    if (name === 'isError' && (left[name] ?? false) === (right[name] ?? false)) return [];
    return differences(left[name], right[name], `${pointer}/${name}`);
  });
}

/** The differences that no loss explains: none at the place, around it, or (for a list) at one of its entries. */
export function unexplained(pointers: readonly string[], losses: readonly Loss[]): readonly string[] {
  return pointers.filter((pointer) => !losses.some((loss) => covers(loss.path, pointer)));
}

function covers(path: string, pointer: string): boolean {
  if (path === pointer || pointer.startsWith(`${path}/`)) return true;
  // A list that changed its length: an entry of it, or a part of an entry, was dropped, moved or added.
  return path.startsWith(`${pointer}/`) && /^\/\d+(?:\/parts(?:\/\d+)?)?$/.test(path.slice(pointer.length));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
