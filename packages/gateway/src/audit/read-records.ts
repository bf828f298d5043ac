import { setImmediate } from 'node:timers/promises';
import type { AuditRecord } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import type { AuditTable } from '../storage/tables.ts';
import { readCanonical, toRecord } from './audit-record.ts';

/** Rows that are held in memory, and looked at, at once. */
const PAGE = 100;

/**
 * Rows in order, page by page.
 *
 * @param after - Rows up to this one are left out. Default: every row there is, whatever somebody wrote into its `seq`.
 */
export async function* readRows(storage: Storage, after?: number): AsyncGenerator<AuditTable> {
  let last: AuditTable | undefined;
  for (;;) {
    const rows = await storage.read(async (database) => {
      const all = database.selectFrom('toolgate_audit').selectAll().orderBy('seq').limit(PAGE);
      // A page begins with the row that the last one ended with: a second row of its number is not passed over.
      if (last !== undefined) return all.where('seq', '>=', last.seq).execute();
      return (after === undefined ? all : all.where('seq', '>', after)).execute();
    });
    yield* last === undefined ? rows : rows.slice(1);
    const end = rows.at(-1);
    // Whole pages of one number are no chain, and whoever checks has gone.
    if (end === undefined || rows.length < PAGE || end.seq === last?.seq) return;
    last = end;
    // SQLite answers at once, so that a long chain would keep the whole process from everything else.
    await setImmediate();
  }
}

/** The record of a row; `undefined` for a row that holds none. */
export function rowToRecord(row: AuditTable): AuditRecord | undefined {
  if (typeof row.data !== 'string') return undefined;
  return toRecord({ ...row, data: readCanonical(row.data) ?? null });
}

/**
 * Records after `after`, in order. Does not check the chain.
 *
 * @throws GatewayError `gateway/record-unreadable`.
 */
export async function* readRecords(storage: Storage, after: number): AsyncGenerator<AuditRecord> {
  let seq = after;
  for await (const row of readRows(storage, after)) {
    seq += 1;
    const record = rowToRecord(row);
    if (record === undefined)
      throw new GatewayError('gateway/record-unreadable', `Audit record ${seq} cannot be read.`);
    yield record;
  }
}
