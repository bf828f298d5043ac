import { type Clock, MAX_TIMER_MS } from '@toolgate/core';

/**
 * Does something that a signal cancels when the time of the run is over.
 *
 * @param remainingMs - `null`: there is no end, and no signal.
 */
export async function withinTime<Result>(
  remainingMs: number | null,
  clock: Clock,
  work: (signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (remainingMs === null) return work(undefined);
  const limit = new AbortController();
  const stop = (): void =>
    limit.abort(new DOMException('The run took as long as its limits allow.', 'TimeoutError'));
  if (remainingMs === 0) stop();
  const timer = clock.setTimer(stop, Math.min(remainingMs, MAX_TIMER_MS));
  try {
    return await work(limit.signal);
  } finally {
    clock.clearTimer(timer);
  }
}
