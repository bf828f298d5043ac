import type { InputValidator } from './input-validator.ts';
import type { Invocation } from './invocation.ts';
import type { Profile, ResultBudget } from './profile.ts';
import type { ToolDefinition } from './tool-definition.ts';
import type { ToolOutput } from './tool-output.ts';

/**
 * What the caller hands to every execution. `context` is the application's trusted value (principal, tenancy,
 * services); it never comes from model arguments and is never serialised.
 *
 * Members may be getters that a spread would lose: a decorator that changes the context uses `withContext`.
 */
export interface CallContext<Context = unknown> {
  /** Aborted when the caller no longer wants the call: cancellation, deadline, or the end of the run. */
  readonly signal: AbortSignal;
  readonly context: Context;
  /** The same as `signal.aborted`, for callers that make the signal only when it is read. Absent: ask `signal`. */
  readonly cancelled?: boolean | undefined;
  /** The id of the call as the model proposed it. Absent where the caller gave none. */
  readonly callId?: string | undefined;
  /**
   * Stable over resume for the same session, call id and argument digest; pass it on to a provider that honours
   * idempotency keys. Absent on a direct `binding.call`.
   */
  readonly idempotencyKey?: string | undefined;
  /** Reports progress to whoever observes the call; never part of the result. Absent where nobody listens. */
  readonly progress?: ((update: ToolProgress) => void) | undefined;
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
 * Optional capabilities, found through the wrapping chain with `capability`; the outermost tool that has one wins.
 * A capability that is present and `undefined` is a declaration error, not an absent one.
 */
export interface ToolCapabilities<Context = unknown> {
  readonly profile?: Profile;
  /** Needs an explicit allow in the scope. */
  readonly privileged?: boolean;
  readonly resultBudget?: ResultBudget;
  /** Whether the capability is offered to this caller now. Observes only; it authorises nothing. */
  readonly available?: (context: Context) => boolean | Promise<boolean>;
  /** Admission rules that JSON Schema cannot express. Asked once, by `bind`. */
  readonly inputValidator?: () => InputValidator | undefined;
  /** UTF-8 bytes that the argument text may have. Default 1 MiB. */
  readonly maxArgumentBytes?: number | 'none';
}

/**
 * The smallest executable capability.
 *
 * `call` is a property, not a method, so that a tool is checked strictly against the context it needs.
 */
export interface Tool<Context = unknown> extends ToolCapabilities<Context> {
  /** A detached, valid definition. `bind` reads it exactly once. */
  readonly definition: () => ToolDefinition;
  /**
   * Executes one admitted invocation. Throw `ToolError` for text the model may read, `Failure` for a definite
   * unsuccessful outcome, `CallError` for evidence without an outcome, `PermanentError` to end the run; every
   * other throw is redacted.
   */
  readonly call: (invocation: Invocation, call: CallContext<Context>) => Promise<ToolOutput>;
  /** Present on a decorator; see {@link WrappingTool}. */
  readonly unwrap?: () => Tool<Context>;
}

/** A tool that decorates another one. `unwrap` returns the same inner tool for the wrapper's lifetime. */
export interface WrappingTool<Context = unknown> extends Tool<Context> {
  readonly unwrap: () => Tool<Context>;
}

/** A tool with admission rules of its own besides its schema. */
export interface InputValidatingTool<Context = unknown> extends Tool<Context> {
  readonly inputValidator: () => InputValidator | undefined;
}
