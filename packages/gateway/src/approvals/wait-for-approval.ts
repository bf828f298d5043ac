import { type Clock, MAX_TIMER_MS } from '@toolgate/core';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { ApprovalChanges } from './approval-changes.ts';

/** What a wait for one approval needs. */
export interface Wait {
  readonly id: string;
  /** Reads it; settles it first where its time is over. */
  readonly get: (id: string) => Promise<ApprovalRecord | undefined>;
  readonly expire: (id: string) => Promise<void>;
  readonly changes: ApprovalChanges;
  readonly clock: Clock;
  /** Aborted when the store closes. */
  readonly closed: AbortSignal;
}

/** Waits until an approval is settled. Neither the wait nor its end changes anything before the time is over. */
export async function waitForApproval(wait: Wait, signal?: AbortSignal): Promise<ApprovalRecord> {
  const { id, get, expire, changes, clock, closed } = wait;
  signal?.throwIfAborted();
  const ends: (() => void)[] = [];
  try {
    return await new Promise<ApprovalRecord>((resolve, reject) => {
      let over = false;
      ends.push(() => {
        over = true;
      });
      for (const each of signal === undefined ? [closed] : [closed, signal]) {
        const abort = (): void => reject(each.reason);
        each.addEventListener('abort', abort, { once: true });
        ends.push(() => each.removeEventListener('abort', abort));
      }
      // Listens before it looks, so that no change falls in between.
      ends.push(changes.subscribe((record) => record.id === id && settle(record)));
      let timer: unknown;
      ends.push(() => clock.clearTimer(timer));
      const arm = (expiresAt: number | 'none'): void => {
        clock.clearTimer(timer);
        // What was read on the way may come after the end.
        if (over || expiresAt === 'none') return;
        const left = Math.min(Math.max(expiresAt - clock.now(), 0), MAX_TIMER_MS);
        timer = clock.setTimer(() => {
          // The wall clock may have been set back meanwhile, and somebody may have given more time.
          expire(id).then(look, reject);
        }, left);
      };
      const settle = (record: ApprovalRecord): void => {
        if (record.status === 'pending') arm(record.expiresAt);
        else resolve(record);
      };
      const look = (): void => {
        get(id).then((record) => (record === undefined ? reject(unknown()) : settle(record)), reject);
      };
      look();
    });
  } finally {
    for (const end of ends) end();
  }
}

function unknown(): GatewayError {
  return new GatewayError('gateway/entry-invalid', 'There is no approval of that id.');
}
