import type { AuditHead, AuditVerdict, VerifyOptions } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import { readHead } from './append-records.ts';
import { createChainCheck } from './chain-check.ts';
import { readRows, rowToRecord } from './read-records.ts';

/**
 * Checks the chain in the database against itself, its own head, and a head that was kept elsewhere. Gateways may go on
 * appending meanwhile.
 */
export async function verifyStored(storage: Storage, options: VerifyOptions): Promise<AuditVerdict> {
  // The last row is asked for before the head: the head is never behind it, unless somebody put a row there.
  const last = await storage.read(async (database) =>
    database
      .selectFrom('toolgate_audit')
      .select((column) => column.fn.max('seq').as('seq'))
      .executeTakeFirst(),
  );
  const head = await readStoredHead(storage);
  const anchors = [head, options.anchor].filter((anchor) => anchor !== undefined);
  const check = createChainCheck(anchors);
  for await (const row of readRows(storage)) {
    const verdict = check.next(rowToRecord(row));
    if (verdict !== undefined) return verdict;
  }
  const verdict = check.end();
  if (!verdict.ok) return verdict;
  if (head === undefined || (await hasUnnumbered(storage)))
    return Object.freeze({ ok: false, seq: verdict.head.seq + 1, fault: 'unreadable' });
  if (Number(last?.seq ?? 0) <= head.seq) return verdict;
  return Object.freeze({ ok: false, seq: head.seq + 1, fault: 'sequence' });
}

/** The head from its row; `undefined` where somebody took it away or made it unreadable, which is a finding. */
async function readStoredHead(storage: Storage): Promise<AuditHead | undefined> {
  const row = await storage.read(async (database) =>
    database
      .selectFrom('toolgate_audit_head')
      .select(['seq', 'digest'])
      .where('id', '=', 1)
      .executeTakeFirst(),
  );
  try {
    return readHead(row);
  } catch (error) {
    if (GatewayError.is(error) && error.code === 'gateway/storage-invalid') return undefined;
    throw error;
  }
}

/** Whether there is a row that stands nowhere, and that no walk along the numbers need come by. */
async function hasUnnumbered(storage: Storage): Promise<boolean> {
  const row = await storage.read(async (database) =>
    database.selectFrom('toolgate_audit').select('seq').where('seq', 'is', null).executeTakeFirst(),
  );
  return row !== undefined;
}
