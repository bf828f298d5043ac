import type { AuditHead } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import type { AuditHeadTable } from '../storage/tables.ts';
import { toRecord } from './audit-record.ts';
import { readStoredText, storedColumns } from './stored-columns.ts';

/** The columns of the head as they are stored. */
export type StoredHead = Readonly<Record<keyof Pick<AuditHeadTable, 'digest' | 'seq'>, unknown>>;

/**
 * The head from its row.
 *
 * @throws GatewayError `gateway/storage-invalid` when the row is gone or unreadable.
 */
export function readHead(row: StoredHead | undefined): AuditHead {
  const digest = readStoredText(row?.digest);
  // Read like a record, so that what was tampered with does not become the start of something new.
  const read = toRecord({
    seq: row?.seq,
    digest,
    kind: 'gateway-start',
    actor: '',
    data: {},
    at: 0,
    previous: digest,
  });
  if (read === undefined)
    throw new GatewayError(
      'gateway/storage-invalid',
      'The head of the audit is gone or unreadable; "toolgate audit verify --database" says how far the records go.',
    );
  return Object.freeze({ seq: read.seq, digest: read.digest });
}

/** @throws GatewayError `gateway/storage-invalid`, `gateway/storage-unavailable`. */
export async function readStoredHead(storage: Storage): Promise<AuditHead> {
  const columns = storedColumns(storage.kind, ['seq'], ['digest']);
  return readHead(
    await storage.read(async (database) =>
      database
        .selectFrom('toolgate_audit_head')
        .select([...columns])
        .where('id', '=', 1)
        .executeTakeFirst(),
    ),
  );
}
