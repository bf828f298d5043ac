import type { JsonObject } from '@toolgate/core';
import type { PageRequest } from '../ports/page.ts';

/** Query of every list. */
export const PAGE_QUERY: Readonly<Record<string, JsonObject>> = {
  cursor: {
    type: 'string',
    pattern: '^[0-9]{1,16}(?:\\.[^\\u0000]{1,300})?$',
    description: 'From the page before.',
  },
  limit: { type: 'string', pattern: '^(?:[1-9]|[1-9][0-9]|[1-4][0-9]{2}|500)$', description: '1 to 500.' },
};

/** A name or an id in a query. No database has one with NUL, and PostgreSQL cannot even be asked for it. */
export const TEXT: JsonObject = { type: 'string', pattern: '^[^\\u0000]{1,256}$' };

/** The last point in time that a date can say, in milliseconds since the epoch. */
export const MAX_TIME = 8_640_000_000_000_000;

/** Milliseconds since the epoch in a query. */
export const TIME: JsonObject = { type: 'string', pattern: '^[0-9]{1,15}$' };

/** The part of a list that a query asks for. */
export function pageOf({ cursor, limit }: Readonly<Record<string, string>>): PageRequest {
  return {
    ...(cursor === undefined ? {} : { cursor }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}

/** The fields of a query that narrow a list, without those of the page. */
export function filterOf(query: Readonly<Record<string, string>>): Readonly<Record<string, string | number>> {
  const { cursor: _cursor, limit: _limit, since, ...rest } = query;
  return { ...rest, ...(since === undefined ? {} : { since: Number(since) }) };
}
