import { setImmediate } from 'node:timers/promises';
import type { AuditRecord } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import type { AuditTable } from '../storage/tables.ts';
import { readCanonical, toRecord } from './audit-record.ts';
import { readStoredText, storedColumns } from './stored-columns.ts';

/** A row as it is stored, whatever somebody made of it. */
export type StoredRow = Readonly<Record<keyof AuditTable, unknown>>;

const NUMBERS = ['seq', 'at'] as const;
const TEXTS = ['kind', 'actor', 'data', 'previous', 'digest'] as const;

/** Rows that are held in memory, and looked at, at once. */
const PAGE = 100;

/**
 * Rows in order, page by page.
 *
 * @param after - Rows up to this one are left out. Default: every row there is, whatever somebody wrote into its `seq`.
 */
export async function* readRows(storage: Storage, after?: number): AsyncGenerator<StoredRow> {
  let last: StoredRow | undefined;
  const columns = storedColumns(storage.kind, NUMBERS, TEXTS);
  for (;;) {
    const rows = await storage.read(async (database) => {
      const all = database
        .selectFrom('toolgate_audit')
        .select([...columns])
        .orderBy('toolgate_audit.seq')
        .limit(PAGE);
      // A page begins with the row that the last one ended with: a second row of its number is not passed over.
      const from = last === undefined ? after : Number(last.seq);
      if (from === undefined) return all.execute();
      return all.where('toolgate_audit.seq', last === undefined ? '>' : '>=', from).execute();
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
export function rowToRecord({ seq, at, ...row }: StoredRow): AuditRecord | undefined {
  const [kind, actor, data, previous, digest] = TEXTS.map((name) => readStoredText(row[name]));
  if (data === undefined) return undefined;
  return toRecord({ seq, at, kind, actor, data: readCanonical(data) ?? null, previous, digest });
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
      throw new GatewayError(
        'gateway/record-unreadable',
        `Audit record ${seq} cannot be read; "toolgate audit verify" names the first bad one.`,
      );
    yield record;
  }
}
