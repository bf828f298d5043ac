import { setImmediate } from 'node:timers/promises';
import type { AuditRecord } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import type { AuditTable } from '../storage/tables.ts';
import { readCanonical, toRecord } from './audit-record.ts';

/** Rows that are held in memory, and looked at, at once. */
const PAGE = 100;

/** Rows after `after`, in order, page by page. */
export async function* readRows(storage: Storage, after: number): AsyncGenerator<AuditTable> {
  for (let from = after; ; ) {
    const rows = await storage.read(async (database) =>
      database
        .selectFrom('toolgate_audit')
        .selectAll()
        .where('seq', '>', from)
        .orderBy('seq')
        .limit(PAGE)
        .execute(),
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    // SQLite answers at once, so that a long chain would keep the whole process from everything else.
    await setImmediate();
    from = last.seq;
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
