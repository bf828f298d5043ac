import { type Clock, ignoreThrown } from '@toolgate/core';

/** Waits, and stops waiting when the signal is aborted: then it rejects with the reason. */
export function waitFor(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clock.clearTimer(timer);
      reject(signal.reason);
    };
    const timer = clock.setTimer(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** What a shared promise gives, for one of those who wait for it; the others are not disturbed when this one leaves. */
export function leaveOn<Value>(shared: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      ignoreThrown(signal.reason);
      reject(signal.reason);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    const leave = (): void => signal.removeEventListener('abort', onAbort);
    shared.then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        ignoreThrown(error);
        reject(error);
      },
    );
  });
}
