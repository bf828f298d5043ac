import type { ApprovalRequest, JsonObject, JsonValue } from '@toolgate/core';
import type { DurableRun, WaitOutcome } from '../durable/port.ts';
import type { DecisionData } from './loop-rules.ts';

/** The wait that a decision about this approval answers. */
export function approvalWaitKey(approvalId: string): string {
  return `approval:${approvalId}`;
}

/**
 * Waits until everything that is pending is decided or over.
 *
 * All waits are opened at once, so that each can be seen and answered whatever happens to the others; the one that ends
 * first stands first, because a run that cannot go on sleeps until the first wait that is open wakes it.
 */
export async function awaitDecisions(
  run: DurableRun,
  pending: readonly ApprovalRequest[],
): Promise<readonly DecisionData[]> {
  const ordered = [...pending].sort((left, right) => endOf(left) - endOf(right));
  const waits = await Promise.allSettled(
    ordered.map((request) =>
      run.wait(approvalWaitKey(request.id), {
        deadline: request.expiresAt === 'none' ? null : request.expiresAt,
        note: request as unknown as JsonValue,
      }),
    ),
  );
  return waits.map((wait, index) => {
    if (wait.status === 'rejected') throw wait.reason;
    return toDecision(wait.value, ordered[index] as ApprovalRequest);
  });
}

function endOf({ expiresAt }: ApprovalRequest): number {
  return expiresAt === 'none' ? Number.MAX_VALUE : expiresAt;
}

/** An answer that is none decides nothing: the approval is over, and nothing runs. */
function toDecision(outcome: WaitOutcome, request: ApprovalRequest): DecisionData {
  const value = outcome.kind === 'resolved' ? outcome.value : null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'expire', request };
  const { kind, reason, arguments: edited } = value as JsonObject;
  if (kind === 'decline') return typeof reason === 'string' ? { kind, request, reason } : { kind, request };
  if (kind !== 'allow') return { kind: 'expire', request };
  if (edited === undefined) return { kind, request };
  return typeof edited === 'object' && edited !== null && !Array.isArray(edited)
    ? { kind, request, arguments: edited as JsonObject }
    : { kind: 'expire', request };
}
