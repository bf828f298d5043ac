import type { Item } from '@toolgate/model';

/** The system and developer messages at the head of a conversation; usually none, since those are instructions. */
export function leadingItems(items: readonly Item[]): readonly Item[] {
  const end = items.findIndex(
    (item) => item.kind !== 'message' || (item.role !== 'system' && item.role !== 'developer'),
  );
  return end === 0 ? NONE : items.slice(0, end === -1 ? items.length : end);
}

const NONE: readonly Item[] = Object.freeze([]);
