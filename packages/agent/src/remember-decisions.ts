import type { ApprovalRequest, Clock } from '@toolgate/core';

/** So long a decision is remembered after its end, for clocks that do not agree. */
const SLACK_MS = 3_600_000;
/** Below this many, nobody looks for old ones. */
const FEW = 256;

/**
 * Remembers in memory which decisions were used. One whose time is over is forgotten: the gate refuses it by itself.
 * Those without an end are remembered for as long as the agent lives.
 */
export function rememberDecisions(clock: Clock): (approvalId: string, request: ApprovalRequest) => boolean {
  const taken = new Map<string, number>();
  let room = FEW;
  return (approvalId, { expiresAt }) => {
    if (taken.has(approvalId)) return false;
    if (taken.size >= room) {
      forget(taken, clock.now() - SLACK_MS);
      // Looked through again when it has doubled, so that each decision pays for a constant part of it.
      room = Math.max(FEW, taken.size * 2);
    }
    taken.set(approvalId, expiresAt === 'none' ? Number.POSITIVE_INFINITY : expiresAt);
    return true;
  };
}

function forget(taken: Map<string, number>, before: number): void {
  for (const [id, expiresAt] of taken) if (expiresAt < before) taken.delete(id);
}
