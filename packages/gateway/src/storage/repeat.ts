import type { Clock } from '@toolgate/core';

/** Does something over and over. */
export interface Repetition {
  /** Settles when the run under way has ended; none begins any more. */
  stop(): Promise<void>;
}

/** Runs `work` every `everyMs`; no run begins while one is under way. Does not keep the process alive. */
export function repeat(
  clock: Clock,
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repetition {
  let timer: unknown;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const schedule = (): void => {
    if (stopped) return;
    timer = clock.setTimer(() => {
      running = work().catch(onError).finally(schedule);
    }, everyMs);
    clock.holdTimer?.(timer, false);
  };
  schedule();
  return Object.freeze({
    stop: async () => {
      stopped = true;
      clock.clearTimer(timer);
      await running;
    },
  });
}
