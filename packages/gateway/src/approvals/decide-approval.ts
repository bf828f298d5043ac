import { canonicalJson, digestText, JsonError, toJsonValue } from '@toolgate/core';
import type { DecideResult, Decision } from '../ports/approval-store.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { mendText } from '../storage/mend-text.ts';
import type { Storage } from '../storage/storage.ts';
import type { ApprovalTable } from '../storage/tables.ts';
import { type ApprovalChange, changeApproval, expiry } from './change-approval.ts';

/** Records a decision, if nobody was first and the time is not over. The decision was checked. */
export async function decideApproval(
  storage: Storage,
  id: string,
  decision: Decision,
  now: number,
): Promise<DecideResult> {
  const change: ApprovalChange = {
    kind: decision.verdict === 'approve' ? 'approval-approve' : 'approval-decline',
    actor: decision.by,
    set: {
      status: decision.verdict === 'approve' ? 'approved' : 'declined',
      settled_by: decision.by,
      settled_at: now,
      reason: decision.reason === undefined ? null : mendText(decision.reason, decision.reason.length),
      ...edit(decision),
    },
  };
  const done = await changeApproval(storage, id, now, (record) =>
    record.status === 'pending' ? (expiry(record, now) ?? change) : undefined,
  );
  if (done === undefined) return { kind: 'unknown' };
  const { record, changed } = done;
  if (record.status === 'expired') return { kind: 'expired', record };
  return { kind: changed ? 'decided' : 'conflict', record };
}

function edit({ arguments: edited }: Decision): Partial<ApprovalTable> {
  if (edited === undefined) return {};
  try {
    const text = canonicalJson(toJsonValue(edited));
    return { edited: text, edited_digest: digestText(text) };
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    throw new GatewayError('gateway/entry-invalid', 'Edited arguments are plain JSON.', { cause });
  }
}
