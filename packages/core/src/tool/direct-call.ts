import type { CallContext } from './tool.ts';

/**
 * The context of a call that no gate manages.
 * @internal
 */
export class DirectCall<Context> implements CallContext<Context> {
  readonly callId: string;
  readonly context: Context;
  #signal: AbortSignal | undefined;

  constructor(callId: string, context: Context, signal: AbortSignal | undefined) {
    this.callId = callId;
    this.context = context;
    this.#signal = signal;
  }

  /** One of its own, made when it is read, where the caller gave none: a shared one would collect listeners. */
  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal;
    return this.#signal;
  }

  get cancelled(): boolean {
    return this.#signal?.aborted === true;
  }
}
