import { type CallContext, type Clock, ignoreThrown } from '@toolgate/core';

/** Why a call was given up before its answer. */
export type GivenUp = 'cancelled' | 'idle' | 'total' | 'lost';

/** How long one call may take, in milliseconds. */
export interface CallLimits {
  /** Without an answer or a report of progress. */
  readonly timeoutMs: number | 'none';
  /** Altogether, whatever is reported. */
  readonly maxTimeoutMs: number | 'none';
}

/**
 * Watches over one call: its caller, the time since the last sign of life, and the time altogether. The time without a
 * sign of life stands still while the server waits for the application. Whatever comes first aborts `signal`; the request that has it sends the protocol's cancellation.
 */
export class CallWatch {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #limits: CallLimits;
  readonly #caller: AbortSignal;
  readonly #onAbort = (): void => {
    ignoreThrown(this.#caller.reason);
    this.#giveUp('cancelled', this.#caller.reason);
  };
  #idle: unknown;
  #total: unknown;
  #why: GivenUp | undefined;
  #held = false;

  constructor(call: Pick<CallContext, 'signal'>, limits: CallLimits, clock: Clock) {
    this.#caller = call.signal;
    this.#limits = limits;
    this.#clock = clock;
    if (this.#caller.aborted) this.#onAbort();
    else this.#caller.addEventListener('abort', this.#onAbort, { once: true });
    this.#total = this.#timer('total', limits.maxTimeoutMs);
    this.alive();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the call was given up; `undefined` while it is not. */
  get why(): GivenUp | undefined {
    return this.#why;
  }

  /** The server gave a sign of life. */
  alive(): void {
    this.#clock.clearTimer(this.#idle);
    if (this.#why === undefined && !this.#held) this.#idle = this.#timer('idle', this.#limits.timeoutMs);
  }

  /** The server waits for us. */
  hold(): void {
    this.#held = true;
    this.#clock.clearTimer(this.#idle);
  }

  /** It waits no more: whatever it is, it is for the server to go on. */
  release(): void {
    this.#held = false;
    this.alive();
  }

  /** The answer cannot come any more. */
  lose(): void {
    this.#giveUp('lost', new Error('The stream that should bring the answer ended without it.'));
  }

  stop(): void {
    this.#clock.clearTimer(this.#idle);
    this.#clock.clearTimer(this.#total);
    this.#caller.removeEventListener('abort', this.#onAbort);
  }

  #timer(why: 'idle' | 'total', ms: number | 'none'): unknown {
    if (ms === 'none') return undefined;
    return this.#clock.setTimer(
      () => this.#giveUp(why, new Error(`The ${why} limit of ${ms} ms is over.`)),
      ms,
    );
  }

  #giveUp(why: GivenUp, reason: unknown): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    this.stop();
    this.#controller.abort(reason);
  }
}
