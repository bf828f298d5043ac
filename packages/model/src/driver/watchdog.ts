import { type Clock, followSignal, ignoreThrown, MAX_TIMER_MS } from '@toolgate/core';
import { ModelError } from '../model-error.ts';

/** Bounds of waiting for a model, in milliseconds; `'none'` has to be written. */
export interface ModelTimeouts {
  /** From the start of a request to its first event. Default 120,000. */
  readonly firstEventMs?: number | 'none';
  /**
   * From one piece of the stream to the next. Default 60,000. An answer that has said how it ends is whole after that time, and
   * after five seconds where the word for the end came by itself or behind pieces without one.
   */
  readonly betweenEventsMs?: number | 'none';
  /** The whole exchange, all attempts included. Default 900,000. */
  readonly totalMs?: number | 'none';
}

/** Aborts one exchange when the caller does, or when a wait gets too long; the reason says which. */
export interface Watchdog {
  readonly signal: AbortSignal;
  /** Starts the wait for `what` anew, replacing the current one. */
  expect(what: string, ms: number | 'none'): void;
  /** Why the exchange was aborted, if it was. */
  reason(): ModelError | undefined;
  /** Ends the exchange if it still runs, and forgets timer and listener. */
  release(): void;
}

/** Watches one exchange that each of the given signals ends. */
export function createWatchdog(parents: readonly AbortSignal[], clock: Clock): Watchdog {
  const controller = new AbortController();
  let why: ModelError | undefined;
  let timer: unknown;

  const abort = (error: ModelError): void => {
    why ??= error;
    controller.abort(why);
  };
  const onParentAbort = (): void => abort(cancelled());
  const disarm = (): void => {
    if (timer !== undefined) clock.clearTimer(timer);
    timer = undefined;
  };

  // Not `AbortSignal.any`: it stays attached to a signal that outlives many exchanges.
  const unfollow = parents.map((parent) => {
    if (parent.aborted) onParentAbort();
    return followSignal(parent, onParentAbort);
  });

  return {
    signal: controller.signal,
    expect(what, ms) {
      disarm();
      if (ms === 'none' || controller.signal.aborted) return;
      const delay = Math.min(ms, MAX_TIMER_MS);
      timer = clock.setTimer(() => {
        abort(new ModelError('model/timeout', `The model did not send ${what} within ${ms} ms.`));
      }, delay);
    },
    reason: () => why,
    release() {
      disarm();
      for (const leave of unfollow) leave();
      controller.abort();
    },
  };
}

/** Begins no exchange that is over already. @throws ModelError `model/cancelled`. */
export function checkSignals(signals: readonly AbortSignal[]): void {
  for (const { aborted, reason } of signals) {
    if (!aborted) continue;
    // It may be a promise, by a slip.
    ignoreThrown(reason);
    throw cancelled();
  }
}

/** The error of an exchange that its caller ended. */
export function cancelled(): ModelError {
  return new ModelError('model/cancelled', 'The model call was cancelled.');
}
