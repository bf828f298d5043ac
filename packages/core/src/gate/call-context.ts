import { type Digest, digest } from '../json/digest.ts';
import type { CallContext, ToolProgress } from '../tool/tool.ts';

/** The call that a context belongs to. */
export interface ContextOwner {
  readonly sessionId: string;
  /** `undefined` while nothing is admitted. */
  readonly argumentsDigest: Digest | undefined;
  /** Whether anybody listens to progress. */
  readonly observed: boolean;
  readonly reportProgress: (update: ToolProgress) => void;
}

let cancel: <Context>(call: GateCallContext<Context>, reason: unknown) => void;

/**
 * What a gate hands to policies and handlers. What nobody reads is never made: an abort signal alone would cost more
 * than the rest of a call. Hand it on as it is; a copy by spreading has only `context` and `callId`.
 */
export class GateCallContext<Context> implements CallContext<Context> {
  static {
    cancel = (call, reason) => call.#cancel(reason);
  }

  readonly context: Context;
  readonly callId: string;
  readonly #owner: ContextOwner;
  #controller: AbortController | undefined;
  #cancelled = false;
  #reason: unknown;

  constructor(owner: ContextOwner, callId: string, context: Context) {
    this.context = context;
    this.callId = callId;
    this.#owner = owner;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#cancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Digest of session id, call id and arguments: the same again when the call is resumed, another for any other. */
  get idempotencyKey(): Digest {
    const { sessionId, argumentsDigest = null } = this.#owner;
    return digest([sessionId, this.callId, argumentsDigest]);
  }

  get progress(): ((update: ToolProgress) => void) | undefined {
    const owner = this.#owner;
    return owner.observed ? (update) => owner.reportProgress(update) : undefined;
  }

  #cancel(reason: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/** Aborts the signal of a call, also one that is only made later. Only the first reason counts. */
export function cancelContext<Context>(call: GateCallContext<Context>, reason: unknown): void {
  cancel(call, reason);
}
