import type { Clock } from '@toolgate/core';

/** A moment on the clock that is never set back. */
export function startWatch(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}

/** Whole milliseconds since then; rounded up, so that work is never free. */
export function elapsedSince(clock: Clock, watch: number): number {
  return Math.max(0, Math.ceil((clock.elapsed?.() ?? clock.now()) - watch));
}
