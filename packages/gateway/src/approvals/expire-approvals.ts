import { appendRecords, lockHead } from '../audit/append-records.ts';
import type { AuditEntry } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import { approvalEntry } from './approval-entry.ts';
import { toRecord } from './approval-row.ts';
import { checkAgainstRecord, expiry } from './change-approval.ts';

/**
 * Settles approvals whose time is over in one transaction: after a night there may be thousands, and who starts or looks
 * waits for it.
 *
 * @param onError - Hears of each one that cannot be read or is not what the audit says about it; it stays as it is.
 * @returns How many were settled, and how many stay.
 */
export async function expireApprovals(
  storage: Storage,
  ids: readonly string[],
  now: number,
  onError: (error: unknown) => void,
): Promise<{ readonly settled: number; readonly bad: number }> {
  return storage.write(async (transaction) => {
    const head = await lockHead(transaction);
    const rows = await transaction
      .selectFrom('toolgate_approvals')
      .selectAll()
      .where('id', 'in', ids)
      .where('status', '=', 'pending')
      .execute();
    const revisions = rows.map(({ revision }) => revision);
    const said = await transaction
      .selectFrom('toolgate_audit')
      .select(['seq', 'kind', 'actor', 'data'])
      .where('seq', 'in', [0, ...revisions])
      .execute();
    const bySeq = new Map(said.map((record) => [record.seq, record]));
    const entries: AuditEntry[] = [];
    let bad = 0;
    for (const row of rows) {
      try {
        checkAgainstRecord(row, bySeq.get(row.revision));
        const change = expiry(toRecord(row), now);
        if (change === undefined) continue;
        const set = { ...change.set, revision: head.seq + entries.length + 1 };
        const entry = approvalEntry(change.kind, change.actor, { ...row, ...set });
        await transaction.updateTable('toolgate_approvals').set(set).where('id', '=', row.id).execute();
        entries.push(entry);
      } catch (error) {
        if (!GatewayError.is(error) || error.code !== 'gateway/record-unreadable') throw error;
        bad += 1;
        onError(error);
      }
    }
    if (entries.length > 0) await appendRecords(transaction, entries, now);
    return { settled: entries.length, bad };
  });
}
