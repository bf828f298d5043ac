import { ignoreThrown } from '@toolgate/core';

/**
 * Waits for something that may not listen to the signal itself, no longer than the signal allows.
 *
 * @param late - Gets a value that comes after the wait was given up. What it throws is nobody's any more.
 * @throws The reason of the signal.
 */
export function untilAborted<Value>(
  pending: Promise<Value>,
  signal: AbortSignal,
  late: (value: Value) => void = () => undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let given = false;
    const onAbort = (): void => {
      given = true;
      reject(signal.reason);
    };
    pending.then(
      (value) => {
        signal.removeEventListener('abort', onAbort);
        if (!given) resolve(value);
        else {
          try {
            late(value);
          } catch (thrown) {
            ignoreThrown(thrown);
          }
        }
      },
      (error: unknown) => {
        signal.removeEventListener('abort', onAbort);
        ignoreThrown(error);
        reject(error);
      },
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
