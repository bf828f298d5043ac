import { setImmediate } from 'node:timers/promises';
import type { Storage } from './storage.ts';

/** Rows that one transaction deletes; a longer one would hold up whoever writes. */
const BATCH = 1_000;

/** Deletes rows of a log that are older than `before`, in milliseconds since the epoch. */
export async function pruneRows(
  storage: Storage,
  table: 'toolgate_calls' | 'toolgate_traffic',
  before: number,
): Promise<void> {
  for (let found = BATCH; found === BATCH; ) {
    found = await storage.writeSoon(async (transaction) => {
      const old = await transaction
        .selectFrom(table)
        .select('id')
        .where('at', '<', before)
        .orderBy('at')
        .limit(BATCH)
        .execute();
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) await transaction.deleteFrom(table).where('id', 'in', ids).execute();
      return ids.length;
    });
    // On SQLite nothing else gets its turn before.
    await setImmediate();
  }
}
