import { type Digest, digest } from '../json/digest.ts';
import type { Invocation } from '../tool/invocation.ts';
import type { CallContext, ToolProgress } from '../tool/tool.ts';

/** What a call context is made of. */
export interface CallContextParts<Context> {
  readonly context: Context;
  readonly callId: string;
  readonly sessionId: string;
  readonly invocation: () => Invocation | undefined;
  /** Absent where nobody listens. */
  readonly progress: ((update: ToolProgress) => void) | undefined;
}

let cancel: (call: GateCallContext<never>, reason: unknown) => void;

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
  readonly #parts: CallContextParts<Context>;
  #controller: AbortController | undefined;
  #cancelled = false;
  #reason: unknown;
  #key: Digest | undefined;

  constructor(parts: CallContextParts<Context>) {
    this.context = parts.context;
    this.callId = parts.callId;
    this.#parts = parts;
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
    this.#key ??= digest([this.#parts.sessionId, this.callId, this.#parts.invocation()?.digest ?? null]);
    return this.#key;
  }

  get progress(): ((update: ToolProgress) => void) | undefined {
    return this.#parts.progress;
  }

  #cancel(reason: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/** Aborts the signal of a call, also one that is only made later. Only the first reason counts. */
export function cancelContext(call: GateCallContext<never>, reason: unknown): void {
  cancel(call, reason);
}
