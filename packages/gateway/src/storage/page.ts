import type { Page, PageRequest } from '../ports/page.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Items of one page: what was asked for, within bounds. */
export function pageLimit({ limit = DEFAULT_LIMIT }: PageRequest): number {
  return Number.isSafeInteger(limit) ? Math.min(Math.max(limit, 1), MAX_LIMIT) : DEFAULT_LIMIT;
}

/**
 * A page from one row more than it shows.
 *
 * @param toItems - The item of a row, or none.
 * @param cursorOf - Where to go on after a row.
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItems: (row: Row) => readonly Item[],
  cursorOf: (row: Row) => string,
): Page<Item> {
  const items = Object.freeze(rows.slice(0, limit).flatMap(toItems));
  const last = rows[limit - 1];
  return Object.freeze(
    rows.length > limit && last !== undefined ? { items, cursor: cursorOf(last) } : { items },
  );
}

/** A place in a list that is ordered by time and id. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/** A cursor for {@link readPosition}. */
export function writePosition({ at, id }: Position): string {
  return `${at}.${id}`;
}

/** The place that a cursor names; `undefined` for a cursor that is none of ours. */
export function readPosition(cursor: string | undefined): Position | undefined {
  const [, at, id] = /^(\d{1,16})\.(.{1,300})$/s.exec(cursor ?? '') ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}
