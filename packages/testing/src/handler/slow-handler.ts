import type { FakeClock } from '../clock/fake-clock.ts';
import type { HandlerContext } from './deferred-handler.ts';

/** How a slow handler behaves. */
export interface SlowHandlerConfig {
  /** Only its timer is used. */
  readonly clock: Pick<FakeClock, 'setTimer' | 'clearTimer'>;
  /** How long an execution takes, in milliseconds of that clock. */
  readonly delayMs: number;
  /** What it returns. Default `done`. */
  readonly value?: unknown;
}

/**
 * Makes a handler that takes its time and heeds its signal: aborted while it waits, it rejects with the signal's reason
 * at once and leaves no timer behind.
 */
export function createSlowHandler(
  config: SlowHandlerConfig,
): (input?: unknown, context?: HandlerContext) => Promise<unknown> {
  const { clock, delayMs, value = 'done' } = config;
  return (_input, context) =>
    new Promise((resolve, reject) => {
      const signal = context?.signal;
      signal?.throwIfAborted();
      const timer = clock.setTimer(() => {
        signal?.removeEventListener('abort', stop);
        resolve(value);
      }, delayMs);
      const stop = (): void => {
        clock.clearTimer(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
}
