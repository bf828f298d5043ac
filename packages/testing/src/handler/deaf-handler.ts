import type { HandlerContext } from './deferred-handler.ts';

/** A handler that goes on whatever its signal says, until the test lets it go. */
export interface DeafHandler {
  readonly execute: (input?: unknown, context?: HandlerContext) => Promise<unknown>;
  /** How many executions have started. */
  readonly started: number;
  /** Lets all executions return, those to come too. */
  readonly release: () => void;
}

/**
 * Makes a handler that ignores cancellation and deadlines. Release it at the end of the test.
 *
 * @param value - What every execution returns once released.
 */
export function createDeafHandler(value: unknown = 'late'): DeafHandler {
  let started = 0;
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return Object.freeze({
    execute: async () => {
      started += 1;
      await released;
      return value;
    },
    get started() {
      return started;
    },
    release: () => release(),
  });
}
