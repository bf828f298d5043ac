import { followSignal } from './follow-signal.ts';
import type { LiveCall } from './live-call.ts';

/**
 * Calls of one session that one signal cancels. They share a listener: runtimes take a listener for each call of a large
 * turn as a sign of a leak, and say so.
 */
export class CallGroup {
  readonly signal: AbortSignal;
  readonly #calls: Set<LiveCall> = new Set();
  /** Calls that follow; some of them may not have begun yet. */
  #following = 0;
  #unfollow: (() => void) | undefined;
  readonly #onAbort = (): void => {
    for (const call of [...this.#calls]) call.cancel(this.signal.reason);
  };

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Makes room for a call that begins now. */
  follow(): void {
    if (this.#following === 0) this.#unfollow = followSignal(this.signal, this.#onAbort);
    this.#following += 1;
  }

  add(call: LiveCall): void {
    this.#calls.add(call);
    // A policy or the handler may have aborted it on the way here.
    if (this.signal.aborted) call.cancel(this.signal.reason);
  }

  /** @param call - `undefined` for one that followed and did not begin. */
  leave(call: LiveCall | undefined): void {
    if (call !== undefined) this.#calls.delete(call);
    this.#following -= 1;
    if (this.#following === 0) this.#unfollow?.();
  }
}
