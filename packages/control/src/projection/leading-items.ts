import type { Item } from '@toolgate/model';

/** The system and developer messages at the head of a conversation; usually none, since those are instructions. */
export function leadingItems(items: readonly Item[]): readonly Item[] {
  let end = 0;
  while (end < items.length && isLeading(items[end])) end += 1;
  return end === 0 ? NONE : items.slice(0, end);
}

function isLeading(item: Item | undefined): boolean {
  return item?.kind === 'message' && (item.role === 'system' || item.role === 'developer');
}

const NONE: readonly Item[] = Object.freeze([]);
