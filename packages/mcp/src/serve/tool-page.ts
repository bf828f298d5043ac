import { digest, readJson } from '@toolgate/core';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string;
}

/** Characters that a cursor may have; longer ones are not looked at. */
const MAX_CURSOR = 128;

/**
 * Cuts a list into pages. A cursor says nothing but a place in this very list: when the list has changed since, or
 * the cursor was never given out, there is no page.
 *
 * @returns `undefined` for a cursor that is none of this list.
 */
export function toolPage<Item extends { readonly name: string }>(
  items: readonly Item[],
  cursor: string | undefined,
  pageSize: number,
): Page<Item> | undefined {
  if (cursor === undefined && items.length <= pageSize) return { items };
  const mark = listMark(items);
  const start = cursor === undefined ? 0 : readCursor(cursor, mark);
  if (start === undefined || start >= items.length || start % pageSize !== 0) return undefined;
  const end = start + pageSize;
  return {
    items: items.slice(start, end),
    ...(end < items.length ? { nextCursor: writeCursor(end, mark) } : {}),
  };
}

/** Tells one list from another; the digest's first characters are enough, because nothing is protected by it. */
function listMark(items: readonly { readonly name: string }[]): string {
  return digest(items.map(({ name }) => name)).slice('sha256:'.length, 'sha256:'.length + 16);
}

function writeCursor(start: number, mark: string): string {
  return Buffer.from(JSON.stringify([start, mark])).toString('base64url');
}

function readCursor(cursor: string, mark: string): number | undefined {
  if (cursor.length > MAX_CURSOR) return undefined;
  try {
    const value = readJson(Buffer.from(cursor, 'base64url'));
    if (!Array.isArray(value) || value.length !== 2) return undefined;
    const [start, found] = value;
    return found === mark && typeof start === 'number' && Number.isSafeInteger(start) && start > 0
      ? start
      : undefined;
  } catch {
    return undefined;
  }
}
