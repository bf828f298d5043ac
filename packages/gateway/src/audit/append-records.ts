import { PostgresAdapter } from 'kysely';
import type { AuditHead, AuditRecord } from '../ports/audit-log.ts';
import { createRowInsert } from '../storage/row-insert.ts';
import { type ColumnValue, runSteps, type Steps } from '../storage/steps.ts';
import type { StorageKind } from '../storage/storage-kind.ts';
import type { Write } from '../storage/tables.ts';
import { type ChainEntry, canonicalData } from './audit-entry.ts';
import { sealRecord } from './audit-record.ts';
import { readHead, type StoredHead } from './stored-head.ts';

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
  return runSteps(transaction, lockSteps(kindOf(transaction)));
}

function* lockSteps(kind: StorageKind): Steps<AuditHead> {
  const rows = yield { sql: LOCK[kind], parameters: [] };
  return readHead(rows[0] as StoredHead | undefined);
}

/** Fixed statements, which nobody has to build and print again for every group of records. */
const LOCK: Readonly<Record<StorageKind, string>> = {
  postgres: 'update toolgate_audit_head set seq = seq where id = 1 returning seq, digest',
  // See `storedColumns`.
  sqlite: `update toolgate_audit_head set seq = seq where id = 1 returning case typeof(seq) when 'integer' then seq end as seq,
    case typeof(digest) when 'text' then cast(digest as blob) end as digest`,
};
const MOVE: Readonly<Record<StorageKind, string>> = {
  postgres: 'update toolgate_audit_head set seq = $1, digest = $2 where id = 1',
  sqlite: 'update toolgate_audit_head set seq = ?, digest = ? where id = 1',
};

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
  return runSteps(transaction, appendSteps(kindOf(transaction), entries, at));
}

/** The same as the steps of a transaction. */
export function* appendSteps(
  kind: StorageKind,
  entries: readonly ChainEntry[],
  at: number,
): Steps<readonly AuditRecord[]> {
  let head = yield* lockSteps(kind);
  const records: AuditRecord[] = [];
  const values: ColumnValue[] = [];
  for (const entry of entries) {
    const { actor, kind: what, text = canonicalData(entry.data) } = entry;
    const record = sealRecord(entry, at, head, text);
    records.push(record);
    values.push(record.seq, at, what, actor, text, record.previous, record.digest);
    head = record;
  }
  yield* insertRecords(kind, values);
  yield { sql: MOVE[kind], parameters: [head.seq, head.digest] };
  return records;
}

function kindOf(transaction: Write): StorageKind {
  return transaction.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}
