import { canonicalJson } from '@toolgate/core';
import { sql } from 'kysely';
import { appendRecords, lockHead } from '../audit/append-records.ts';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import type { AuditKind } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import type { ApprovalTable, AuditTable, Write } from '../storage/tables.ts';
import { approvalEntry } from './approval-entry.ts';
import { toRecord } from './approval-row.ts';

/** A change of one approval: the members that become others, and how the audit calls it. */
export interface ApprovalChange {
  readonly kind: AuditKind;
  readonly actor: string;
  readonly set: Partial<ApprovalTable>;
}

/** What became of an approval. */
export interface Changed {
  readonly record: ApprovalRecord;
  /** Whether it is this change that made it so. */
  readonly changed: boolean;
}

/**
 * Changes one approval together with its audit record. All changes of all approvals of one database happen one after
 * the other, so what `choose` sees is how it is.
 *
 * @param choose - The change to make; `undefined` for none.
 * @returns `undefined` for an id that is not there.
 * @throws GatewayError `gateway/record-unreadable` for a row that is not what the audit says of its last change.
 */
export async function changeApproval(
  storage: Storage,
  id: string,
  now: number,
  choose: (record: ApprovalRecord) => ApprovalChange | undefined,
): Promise<Changed | undefined> {
  return storage.write(async (transaction) => {
    const head = await lockHead(transaction);
    const row = await transaction
      .selectFrom('toolgate_approvals')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const record = toRecord(row);
    await checkAgainstAudit(transaction, row);
    const change = choose(record);
    if (change === undefined) return { record, changed: false };
    const revision = head.seq + 1;
    const set = { ...change.set, revision };
    const next = { ...row, ...set };
    await transaction.updateTable('toolgate_approvals').set(set).where('id', '=', id).execute();
    await appendRecords(transaction, [approvalEntry(change.kind, change.actor, next)], now);
    return { record: toRecord(next), changed: true };
  });
}

/** What the audit calls the change that made an approval what it is. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  pending: ['approval-create', 'approval-extend'],
  approved: ['approval-approve'],
  declined: ['approval-decline'],
  expired: ['approval-expire'],
  cancelled: ['approval-cancel'],
};

/** What the audit says about a row that nobody touched. */
function dataOf(row: ApprovalTable): string {
  return canonicalJson(approvalEntry('approval-create', '', row).data);
}

/** What an audit record says. */
export type Said = Pick<AuditTable, 'actor' | 'data' | 'kind'>;

/**
 * Nobody turns an approval into another one by writing to its table alone.
 *
 * @param said - The record of its last change.
 * @throws GatewayError `gateway/record-unreadable`.
 */
export function checkAgainstRecord(row: ApprovalTable, said: Said | undefined): void {
  const causes = row.consumed_at === null ? (CAUSES[row.status] ?? []) : ['approval-consume'];
  const reviewer = ['approved', 'declined'].includes(row.status) && row.consumed_at === null;
  const same = said?.data === dataOf(row) && causes.includes(said.kind);
  if (!same || (reviewer && said?.actor !== row.settled_by)) throw notAsSaid();
}

async function checkAgainstAudit(transaction: Write, row: ApprovalTable): Promise<void> {
  const said = await transaction
    .selectFrom('toolgate_audit')
    .select(['kind', 'actor', 'data'])
    .where('seq', '=', row.revision)
    .executeTakeFirst();
  checkAgainstRecord(row, said);
  if (await wasUsed(transaction, row)) throw notAsSaid();
}

function notAsSaid(): GatewayError {
  return new GatewayError('gateway/record-unreadable', 'An approval is not what the audit says about it.');
}

/** A row that was put back to how it was before its approval was used is as good as one that was made up. */
async function wasUsed(transaction: Write, row: ApprovalTable): Promise<boolean> {
  if (row.status !== 'approved' || row.consumed_at !== null) return false;
  const used = await transaction
    .selectFrom('toolgate_audit')
    .select('seq')
    // Written out, as the index of these records is found by it.
    .where('kind', '=', sql.lit('approval-consume'))
    .where('seq', '>', row.revision)
    .where('data', '=', dataOf(row))
    .executeTakeFirst();
  return used !== undefined;
}

/** Whether the time of an approval is over. */
export function isOverdue({ expiresAt }: ApprovalRecord, now: number): boolean {
  return expiresAt !== 'none' && now >= expiresAt;
}

/** The change that ends the wait of an approval whose time is over; `undefined` where there is nothing to end. */
export function expiry(record: ApprovalRecord, now: number): ApprovalChange | undefined {
  if (record.status !== 'pending' || !isOverdue(record, now)) return undefined;
  return {
    kind: 'approval-expire',
    actor: 'system',
    set: { status: 'expired', settled_by: 'system', settled_at: now },
  };
}
