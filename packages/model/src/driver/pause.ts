import type { Clock } from '@toolgate/core';
import { cancelled, type Watchdog } from './watchdog.ts';

/** Waits before another attempt. @throws ModelError the reason of the watchdog, as soon as it has one. */
export function pause(delayMs: number, clock: Clock, watchdog: Watchdog): Promise<void> {
  watchdog.expect('an answer', 'none');
  return new Promise((resolve, reject) => {
    if (watchdog.signal.aborted) {
      reject(watchdog.reason() ?? cancelled());
      return;
    }
    const onAbort = (): void => {
      clock.clearTimer(timer);
      reject(watchdog.reason() ?? cancelled());
    };
    const timer = clock.setTimer(() => {
      watchdog.signal.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    watchdog.signal.addEventListener('abort', onAbort, { once: true });
  });
}
