import type { AuditHead, AuditVerdict, VerifyOptions } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import { createChainCheck } from './chain-check.ts';
import { readRows, rowToRecord } from './read-records.ts';
import { storedColumns } from './stored-columns.ts';
import { readStoredHead } from './stored-head.ts';

/**
 * Checks the chain in the database against itself, its own head, and a head that was kept elsewhere. Gateways may go on
 * appending meanwhile.
 */
export async function verifyStored(storage: Storage, options: VerifyOptions): Promise<AuditVerdict> {
  // The last row is asked for before the head: the head is never behind it, unless somebody put a row there.
  const last = await storage.read(async (database) =>
    database
      .selectFrom('toolgate_audit')
      .select([...storedColumns(storage.kind, ['seq'], [])])
      .orderBy('toolgate_audit.seq', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );
  const head = await findHead(storage);
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
async function findHead(storage: Storage): Promise<AuditHead | undefined> {
  try {
    return await readStoredHead(storage);
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
