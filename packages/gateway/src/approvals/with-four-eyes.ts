import type { ApprovalRecord, ApprovalStore, Decision, SameCall } from '../ports/approval-store.ts';
import type { AuditLog } from '../ports/audit-log.ts';

/** What the rule needs. */
export interface FourEyesOptions {
  /** Whether the rule holds now. */
  readonly holds: () => boolean;
  /** Takes each yes that did not count. */
  readonly audit: Pick<AuditLog, 'append'>;
}

/**
 * Approvals where nobody allows what they asked for themselves: a yes of the principal who asked is refused and written
 * down, and one that was given where the rule did not hold opens nothing. A no is a no, whoever says it.
 *
 * Who asked and who decided never change once they are written, so a look before is as good as one in the transaction.
 */
export function withFourEyes(approvals: ApprovalStore, { audit, holds }: FourEyesOptions): ApprovalStore {
  return Object.freeze({
    ...approvals,
    async decide(id: string, decision: Decision) {
      if (decision.verdict !== 'approve' || !holds()) return approvals.decide(id, decision);
      const record = await approvals.get(id);
      if (record?.status !== 'pending' || !isOwn(record, decision.by)) return approvals.decide(id, decision);
      await audit.append({ kind: 'approval-refuse', actor: decision.by, data: { approval: id } });
      return { kind: 'own' as const, record };
    },
    async consume(id: string) {
      const record = holds() ? await approvals.get(id) : undefined;
      return (record === undefined || !isSelfApproved(record)) && approvals.consume(id);
    },
    async findSame(call: SameCall) {
      const record = await approvals.findSame(call);
      // It is asked for anew.
      return record !== undefined && holds() && isSelfApproved(record) ? undefined : record;
    },
  });
}

/** Of a question that names nobody, nobody can say that it is another one's. */
function isOwn({ principal }: ApprovalRecord, by: string | undefined): boolean {
  return principal === undefined || principal === by;
}

function isSelfApproved(record: ApprovalRecord): boolean {
  return record.status === 'approved' && isOwn(record, record.settlement?.by);
}
