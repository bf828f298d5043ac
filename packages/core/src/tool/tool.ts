import type { Invocation } from './invocation.ts';
import type { ToolDefinition } from './tool-definition.ts';
import type { ToolOutput } from './tool-output.ts';

/**
 * What the caller hands to every execution. `context` is the application's trusted value (principal, tenancy,
 * services); it never comes from model arguments and is never serialised.
 */
export interface CallContext<Context = unknown> {
  /** Aborted when the caller no longer wants the call: cancellation, deadline, or the end of the run. */
  readonly signal: AbortSignal;
  readonly context: Context;
  /**
   * Stable over resume for the same session, call id and argument digest; pass it on to a provider that honours
   * idempotency keys. Absent on a direct `binding.call`.
   */
  readonly idempotencyKey?: string;
  /** Reports progress to whoever observes the call; never part of the result. Absent where nobody listens. */
  readonly progress?: (update: ToolProgress) => void;
}

/** One progress report of a running call. */
export interface ToolProgress {
  /** Grows with each report. */
  readonly progress: number;
  /** The value at which the work is done, where it is known. */
  readonly total?: number;
  /** Text for people; not shown to the model. */
  readonly message?: string;
}

/**
 * The smallest executable capability. Optional capabilities (profile, availability, input validator, …) are extra
 * members, found through the wrapping chain.
 *
 * `call` is a property, not a method, so that a tool is checked strictly against the context it needs.
 */
export interface Tool<Context = unknown> {
  /** A detached, valid definition. `bind` reads it exactly once. */
  readonly definition: () => ToolDefinition;
  /**
   * Executes one admitted invocation. Throw `ToolError` for text the model may read, `Failure` for a definite
   * unsuccessful outcome, `CallError` for evidence without an outcome, `PermanentError` to end the run; every
   * other throw is redacted.
   */
  readonly call: (invocation: Invocation, call: CallContext<Context>) => Promise<ToolOutput>;
}

/** A tool that decorates another one. `unwrap` returns the same inner tool for the wrapper's lifetime. */
export interface WrappingTool<Context = unknown> extends Tool<Context> {
  readonly unwrap: () => Tool<Context>;
}
