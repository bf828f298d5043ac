import type { JsonObject } from '@toolgate/core';
import type { AdminClient } from './admin-client.ts';
import { itemsOf } from './fields.ts';

/** What a list gave. */
export interface Listed {
  readonly items: readonly JsonObject[];
  /** Whether there are more. */
  readonly more: boolean;
}

/** What the admin API gives at most in one answer. */
const PAGE = 500;

/** Reads a list of the admin API page by page, up to `limit` entries. */
export async function listPages(
  client: AdminClient,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  limit: number,
): Promise<Listed> {
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  do {
    const size = Math.min(PAGE, limit - items.length);
    const page = await client.ask(path, { query: { ...query, limit: size, cursor } });
    const found = itemsOf(page);
    items.push(...found);
    const next = page['cursor'];
    // A gateway that gives nothing and still has a next page would keep this going for ever.
    cursor = typeof next === 'string' && found.length > 0 ? next : undefined;
  } while (cursor !== undefined && items.length < limit);
  return { items: items.slice(0, limit), more: cursor !== undefined };
}
