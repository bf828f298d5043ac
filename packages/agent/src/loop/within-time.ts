import { type Clock, followSignal, MAX_TIMER_MS } from '@toolgate/core';
import { elapsedSince, startWatch } from './elapsed.ts';
import type { Standstill } from './standstill.ts';

/**
 * Does something that a signal cancels when the time of the run is over, not counting when that stands still.
 *
 * @param remainingMs - `null`: there is no end, and no signal but the caller's own.
 * @param own - A signal of the caller that cancels it as well.
 */
export async function withinTime<Result>(
  remainingMs: number | null,
  clock: Clock,
  standstill: Pick<Standstill, 'still' | 'onChange'>,
  work: (signal: AbortSignal | undefined) => Promise<Result>,
  own?: AbortSignal,
): Promise<Result> {
  if (remainingMs === null) return work(own);
  const limit = new AbortController();
  const follow = (): void => limit.abort(own?.reason);
  if (own?.aborted === true) follow();
  const unfollowOwn = own && followSignal(own, follow);
  const stop = (): void =>
    limit.abort(new DOMException('The run took as long as its limits allow.', 'TimeoutError'));
  if (remainingMs === 0) stop();
  let left = remainingMs;
  let since = startWatch(clock);
  let timer: unknown;
  const goOn = (): void => {
    since = startWatch(clock);
    timer = clock.setTimer(stop, Math.min(left, MAX_TIMER_MS));
  };
  const halt = (): void => {
    clock.clearTimer(timer);
    left = Math.max(0, left - elapsedSince(clock, since));
  };
  const unfollow = standstill.onChange((still) => (still ? halt() : goOn()));
  if (!standstill.still) goOn();
  try {
    return await work(limit.signal);
  } finally {
    unfollow();
    unfollowOwn?.();
    clock.clearTimer(timer);
  }
}
