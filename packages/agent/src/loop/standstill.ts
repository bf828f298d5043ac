import type { Clock } from '@toolgate/core';
import { startWatch } from './elapsed.ts';

/**
 * When the time of a run stands still: while somebody is asked about one of its calls. People take longer than a run may
 * work, and how long they may take is said by the scope.
 */
export interface Standstill {
  readonly still: boolean;
  /** Milliseconds that it stood still until now. */
  totalMs(): number;
  /** For one call. */
  question(): Question;
  /** Tells of each change; answers how to stop listening. */
  onChange(listener: (still: boolean) => void): () => void;
}

/** Whether somebody is asked about one call. */
export interface Question {
  readonly asking: (asked: boolean) => void;
  /** The call has ended: nobody is asked any more, and what an approver says now counts for nothing. */
  readonly end: () => void;
}

/** Makes the standstill of one session. */
export function createStandstill(clock: Clock): Standstill {
  const listeners = new Set<(still: boolean) => void>();
  let open = 0;
  let since = 0;
  let before = 0;
  const current = (): number => (open === 0 ? 0 : Math.max(0, startWatch(clock) - since));
  const tell = (still: boolean): void => {
    for (const listener of listeners) listener(still);
  };
  const begin = (): void => {
    open += 1;
    if (open > 1) return;
    since = startWatch(clock);
    tell(true);
  };
  const finish = (): void => {
    const passed = current();
    open -= 1;
    if (open > 0) return;
    before += passed;
    tell(false);
  };
  return {
    get still() {
      return open > 0;
    },
    totalMs: () => Math.floor(before + current()),
    question() {
      let asked = false;
      let over = false;
      const asking = (now: boolean): void => {
        if (over || now === asked) return;
        asked = now;
        if (now) begin();
        else finish();
      };
      return {
        asking,
        end() {
          asking(false);
          over = true;
        },
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
