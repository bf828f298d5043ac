import { setImmediate } from 'node:timers/promises';
import type { Steps } from './steps.ts';
import type { Storage } from './storage.ts';
import type { StorageKind } from './storage-kind.ts';

/** Rows that one transaction deletes; a longer one would hold up whoever writes. */
const BATCH = 1_000;

/** Deletes rows of a log that are older than `before`, in milliseconds since the epoch. */
export async function pruneRows(
  storage: Storage,
  table: 'toolgate_calls' | 'toolgate_traffic',
  before: number,
): Promise<void> {
  function* deleteOldest(kind: StorageKind): Steps<number> {
    const time = kind === 'postgres' ? '$1' : '?';
    const oldest = `select id from ${table} where at < ${time} order by at limit ${BATCH}`;
    const gone = yield {
      sql: `delete from ${table} where id in (${oldest}) returning 1 as gone`,
      parameters: [before],
    };
    return gone.length;
  }
  for (let found = BATCH; found === BATCH; ) {
    found = await storage.writeSteps(deleteOldest, { soon: true });
    // On SQLite nothing else gets its turn before.
    await setImmediate();
  }
}
