import type { Clock } from '@toolgate/core';
import type { ApprovalRecord } from '../ports/approval-store.ts';

/** Says in time that an approval is about to expire. */
export interface ExpiringApprovals {
  /** Takes how an approval is now, as often as one likes. */
  see(record: ApprovalRecord): void;
  close(): void;
}

/** What is kept of an approval until its time is nearly over: thousands may wait, with arguments of megabytes. */
export type ExpiringApproval = Pick<ApprovalRecord, 'expiresAt' | 'id' | 'revision'>;

/** Timers of the platform fire at once when they are set for longer. */
const LONGEST_MS = 2_147_483_647;

/**
 * Watches over approvals that nobody decides: told once, when a tenth of the time that was given is left, and again when an
 * operator gave more time and that comes to its end, too. After a restart what is left of that tenth counts, and nothing is
 * told once the time is over.
 *
 * @param onExpiring - Learns of one that is still pending.
 */
export function createExpiringApprovals(
  clock: Clock,
  onExpiring: (approval: ExpiringApproval) => void,
): ExpiringApprovals {
  const timers = new Map<string, { readonly revision: number; readonly timer: unknown }>();

  const forget = (id: string): void => {
    clock.clearTimer(timers.get(id)?.timer);
    timers.delete(id);
  };
  const arm = (approval: ExpiringApproval, at: number, end: number): void => {
    const timer = clock.setTimer(
      () => {
        const now = clock.now();
        if (now < at) return arm(approval, at, end);
        // Kept, so that the same state of it is not told of again.
        timers.set(approval.id, { revision: approval.revision, timer: undefined });
        // Where the process was not there or asleep, the time may be over already.
        if (now < end) onExpiring(approval);
      },
      Math.min(Math.max(0, at - clock.now()), LONGEST_MS),
    );
    clock.holdTimer?.(timer, false);
    timers.set(approval.id, { revision: approval.revision, timer });
  };

  return Object.freeze({
    see(record: ApprovalRecord) {
      const { expiresAt, id, requestedAt, revision, status } = record;
      const known = timers.get(id);
      if (known !== undefined && known.revision >= revision) return;
      forget(id);
      if (status !== 'pending' || expiresAt === 'none') return;
      arm({ id, expiresAt, revision }, expiresAt - (expiresAt - requestedAt) / 10, expiresAt);
    },
    close() {
      for (const id of [...timers.keys()]) forget(id);
    },
  });
}
