/** What a handler under test gets besides its input; any context of any system fits. */
export interface HandlerContext {
  readonly signal?: AbortSignal | undefined;
}

/** One execution of a deferred handler, as it was asked for. */
export interface DeferredCall {
  readonly input: unknown;
  /** Read from the context when asked for, so that merely recording a call creates no signal. */
  readonly signal: AbortSignal | undefined;
  /** Ends this execution with a result. Later settlements of the same execution change nothing. */
  readonly resolve: (value?: unknown) => void;
  /** Ends this execution with what a handler would throw. */
  readonly reject: (thrown?: unknown) => void;
}

/** A handler that a test settles by hand. It never looks at its signal. */
export interface DeferredHandler {
  readonly execute: (input?: unknown, context?: HandlerContext) => Promise<unknown>;
  /** All executions so far, in order of their start. */
  readonly calls: readonly DeferredCall[];
  /** Settles when that many executions have started. Default 1. */
  readonly started: (count?: number) => Promise<void>;
}

interface Waiter {
  readonly count: number;
  readonly wake: () => void;
}

/** Makes a handler whose executions stay open until the test resolves or rejects each of them. */
export function createDeferredHandler(): DeferredHandler {
  const calls: DeferredCall[] = [];
  const waiters: Waiter[] = [];
  return Object.freeze({
    execute: (input?: unknown, context?: HandlerContext) =>
      new Promise<unknown>((resolve, reject) => {
        calls.push(
          Object.freeze({
            input,
            get signal() {
              return context?.signal;
            },
            resolve: (value?: unknown) => resolve(value),
            reject: (thrown?: unknown) => reject(thrown),
          }),
        );
        for (const waiter of waiters) if (waiter.count === calls.length) waiter.wake();
      }),
    calls,
    started: (count = 1) =>
      new Promise<void>((wake) => {
        if (calls.length >= count) wake();
        else waiters.push({ count, wake });
      }),
  });
}
