import { followSignal } from './follow-signal.ts';
import type { LiveCall } from './live-call.ts';

/**
 * Calls of one session that one signal cancels. They share a listener: runtimes take a listener for each call of a large
 * turn as a sign of a leak, and say so.
 */
export class CallGroup {
  readonly signal: AbortSignal;
  readonly #calls: Set<LiveCall> = new Set();
  #unfollow: (() => void) | undefined;
  readonly #onAbort = (): void => {
    for (const call of [...this.#calls]) call.cancel(this.signal.reason);
  };

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  add(call: LiveCall): void {
    if (this.#calls.size === 0) this.#unfollow = followSignal(this.signal, this.#onAbort);
    this.#calls.add(call);
    // A policy or the handler may have aborted it on the way here.
    if (this.signal.aborted) call.cancel(this.signal.reason);
  }

  remove(call: LiveCall): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#unfollow?.();
  }
}
