import type { Clock } from '@toolgate/core';
import { lockHead } from '../audit/append-records.ts';
import type { Storage } from '../storage/storage.ts';
import type { Write } from '../storage/tables.ts';

/** What a probe needs. */
export interface WriteProbeOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Learns why storage takes nothing. */
  readonly onError: (error: unknown) => void;
}

/** Anybody may ask, and each write waits for the disk. */
const GOOD_MS = 10_000;
/** Storage that takes something again is known soon. */
const BAD_MS = 1_000;

/**
 * Asks whether storage answers and whether the audit can be written: on a full disk or a database that is only read,
 * nothing that has to be recorded first could be released. Nobody sees the write, which is made every ten seconds at most.
 */
export function createWriteProbe({ clock, onError, storage }: WriteProbeOptions): () => Promise<boolean> {
  const elapsed = clock.elapsed ?? clock.now;
  let writable = true;
  let triedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (elapsed() - triedAt < (writable ? GOOD_MS : BAD_MS)) return writable && storage.ping();
    triedAt = elapsed();
    try {
      await storage.write(writeNothing);
      writable = true;
    } catch (error) {
      onError(error);
      writable = false;
    }
    return writable;
  };
}

const ID = 'probe';

/** A row that comes and goes: SQLite leaves the file alone where a row is set to what it is. */
async function writeNothing(transaction: Write): Promise<void> {
  await lockHead(transaction);
  const row = { id: ID, at: 0, principal: null, route: null, surface: ID, entry: '{}' };
  await transaction.insertInto('toolgate_traffic').values(row).execute();
  await transaction.deleteFrom('toolgate_traffic').where('id', '=', ID).execute();
}
