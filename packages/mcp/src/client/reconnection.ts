import type { ReconnectionScheduler } from '@modelcontextprotocol/client';
import type { Clock } from '@toolgate/core';

/** Reconnections that a server may ask for as soon as it likes. */
const FREE = 5;
const FIRST_MS = 100;
const MAX_MS = 30_000;
/** So long without a reconnection, and the next ones are free again. */
const QUIET_MS = 60_000;

/**
 * Says when a stream that ended is taken up again: when the server wants it, but more and more rarely where that comes
 * again and again. The SDK would do so for ever, as fast as a server says.
 */
export function patientReconnection(clock: Clock): ReconnectionScheduler {
  const elapsed = clock.elapsed ?? clock.now;
  let made = 0;
  let last = Number.NEGATIVE_INFINITY;
  return (reconnect, delay) => {
    const now = elapsed();
    if (now - last > QUIET_MS) made = 0;
    made += 1;
    const least = made <= FREE ? 0 : FIRST_MS * 2 ** Math.min(made - FREE, 20);
    const wait = Math.min(Math.max(delay, least), MAX_MS);
    last = now + wait;
    const timer = clock.setTimer(reconnect, wait);
    clock.holdTimer?.(timer, false);
    return () => clock.clearTimer(timer);
  };
}
