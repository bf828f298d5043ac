import type { AuditHead, AuditRecord } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { type ColumnValue, createRowInsert } from '../storage/row-insert.ts';
import type { Write } from '../storage/tables.ts';
import { type ChainEntry, canonicalData } from './audit-entry.ts';
import { sealRecord, toRecord } from './audit-record.ts';

const insertRecords = createRowInsert({
  table: 'toolgate_audit',
  columns: ['seq', 'at', 'kind', 'actor', 'data', 'previous', 'digest'],
});

/**
 * Holds the end of the chain until the transaction is over, so that all writers of one database write one after the
 * other. A transaction that reads what it will change calls this first.
 *
 * @throws GatewayError `gateway/storage-invalid` when the row of the head is gone or unreadable.
 */
export async function lockHead(transaction: Write): Promise<AuditHead> {
  const row = await transaction
    .updateTable('toolgate_audit_head')
    .set((column) => ({ seq: column.ref('seq') }))
    .where('id', '=', 1)
    .returning(['seq', 'digest'])
    .executeTakeFirst();
  return readHead(row);
}

/** The head from its row. */
export function readHead(row: { readonly seq: number; readonly digest: string } | undefined): AuditHead {
  // Read like a record, so that what was tampered with does not become the start of something new.
  const read = toRecord({
    ...row,
    kind: 'gateway-start',
    actor: '',
    data: {},
    at: 0,
    previous: row?.digest ?? '',
  });
  if (read === undefined)
    throw new GatewayError('gateway/storage-invalid', 'The head of the audit is gone or unreadable.');
  return Object.freeze({ seq: read.seq, digest: read.digest });
}

/**
 * Appends to the chain as part of a transaction: the records are there exactly if the rest of it is.
 *
 * @param entries - Checked before; at least one.
 */
export async function appendRecords(
  transaction: Write,
  entries: readonly ChainEntry[],
  at: number,
): Promise<readonly AuditRecord[]> {
  let head = await lockHead(transaction);
  const records: AuditRecord[] = [];
  const values: ColumnValue[] = [];
  for (const entry of entries) {
    const { kind, actor, text = canonicalData(entry.data) } = entry;
    const record = sealRecord(entry, at, head, text);
    records.push(record);
    values.push(record.seq, at, kind, actor, text, record.previous, record.digest);
    head = record;
  }
  await insertRecords(transaction, values);
  const { seq, digest } = head;
  await transaction.updateTable('toolgate_audit_head').set({ seq, digest }).where('id', '=', 1).execute();
  return records;
}
