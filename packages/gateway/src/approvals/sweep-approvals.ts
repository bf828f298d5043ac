import { setImmediate } from 'node:timers/promises';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Storage } from '../storage/storage.ts';
import { NO_EXPIRY, type Tables } from '../storage/tables.ts';
import { expireApprovals } from './expire-approvals.ts';

/** What one sweep does. */
export interface Sweep {
  readonly storage: Storage;
  readonly now: number;
  readonly contentsMs: number;
  readonly retentionMs: number;
}

/** Overdue approvals that are found in one go. */
const BATCH = 100;

/** Statuses that nobody will change any more; an approved one is over when it was used or its time is. */
const OVER = ['declined', 'expired', 'cancelled'] as const;

/**
 * Settles what is overdue. One that cannot be read does not keep the others waiting.
 *
 * @returns Whether anything was settled.
 */
export async function expireOverdue(
  storage: Storage,
  now: number,
  onError: (error: unknown) => void,
): Promise<boolean> {
  let settled = 0;
  for (let found = BATCH; found === BATCH; ) {
    const rows = await storage.read(async (database) =>
      database
        .selectFrom('toolgate_approvals')
        .select('id')
        .where('status', '=', 'pending')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(BATCH)
        .execute(),
    );
    found = rows.length;
    if (found === 0) break;
    try {
      const ids = rows.map(({ id }) => id);
      const done = await expireApprovals(storage, ids, now, onError);
      settled += done.settled;
      // Those that stay are found again each time: with nothing else left, going on would find them for ever.
      if (done.settled === 0 && done.bad > 0) found = 0;
    } catch (error) {
      found = 0;
      onError(error);
    }
    // On SQLite nothing else gets its turn before.
    await setImmediate();
  }
  return settled > 0;
}

/** Drops contents of what is over for long enough, and deletes what is too old. */
export async function sweepApprovals({ storage, now, contentsMs, retentionMs }: Sweep): Promise<void> {
  await storage.write(async (transaction) => {
    await transaction
      .updateTable('toolgate_approvals')
      .set({ request: null, definition: null, edited: null })
      .where('request', 'is not', null)
      .where(overSince(now - contentsMs, now))
      .execute();
  });
  await storage.write(async (transaction) => {
    await transaction
      .deleteFrom('toolgate_approvals')
      .where(overSince(now - retentionMs, now))
      .execute();
  });
}

type Column = ExpressionBuilder<Tables, 'toolgate_approvals'>;

/** What is over since before a time. A no is an answer for as long as the call was asked for, and is kept whole until then. */
function overSince(before: number, now: number): (column: Column) => Expression<SqlBool> {
  return (column) =>
    column.or([
      column.and([
        column('status', 'in', OVER),
        column('settled_at', '<', before),
        column.or([
          column('status', '!=', 'declined'),
          column('expires_at', '<=', now),
          column('expires_at', '=', NO_EXPIRY),
        ]),
      ]),
      column('consumed_at', '<', before),
      column.and([column('status', '=', 'approved'), column('expires_at', '<', before)]),
    ]);
}
