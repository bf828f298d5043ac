import type { CallContext, ToolProgress } from './tool.ts';

/** The same call with another context; everything else is asked of the original when it is read. */
class ReplacedContext<Context> implements CallContext<Context> {
  readonly context: Context;
  readonly #call: CallContext;

  constructor(call: CallContext, context: Context) {
    this.context = context;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get cancelled(): boolean | undefined {
    return this.#call.cancelled;
  }

  get callId(): string | undefined {
    return this.#call.callId;
  }

  get idempotencyKey(): string | undefined {
    return this.#call.idempotencyKey;
  }

  get progress(): ((update: ToolProgress) => void) | undefined {
    return this.#call.progress;
  }
}

/**
 * The call context for an inner tool that needs another context, for decorators. Signal, call id, key and progress are
 * those of the call; nothing of it is made before it is read.
 */
export function withContext<Context>(call: CallContext, context: Context): CallContext<Context> {
  return new ReplacedContext(call, context);
}
