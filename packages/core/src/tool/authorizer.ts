import type { Digest } from '../json/digest.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Invocation } from './invocation.ts';
import type { CallContext } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** What an authorizer decides on. Nothing in it can be executed. */
export interface Authorization<Context = unknown> {
  readonly callId: string;
  /** Frozen. */
  readonly definition: ToolDefinition;
  /** The admitted arguments, a copy that the authorizer owns; the same one each time it is read. */
  readonly arguments: JsonObject;
  readonly argumentsDigest: Digest;
  /** The application's trusted value: who asks. */
  readonly context: Context;
  /** Aborted when the caller no longer wants the call. */
  readonly signal: AbortSignal;
}

/**
 * Decides on one exact call: `true` permits, `false` refuses. A throw, or any other answer, is no decision: the tool
 * does not run.
 */
export type Authorizer<Context = unknown> = (
  authorization: Authorization<Context>,
) => boolean | Promise<boolean>;

/** The question about one call; what nobody reads is not made. */
export class AuthorizationQuestion<Context> implements Authorization<Context> {
  readonly definition: ToolDefinition;
  readonly #invocation: Invocation;
  readonly #call: CallContext<Context>;
  #arguments: JsonObject | undefined;

  constructor(definition: ToolDefinition, invocation: Invocation, call: CallContext<Context>) {
    this.definition = definition;
    this.#invocation = invocation;
    this.#call = call;
    Object.freeze(this);
  }

  get callId(): string {
    return this.#invocation.callId;
  }

  get arguments(): JsonObject {
    this.#arguments ??= this.#invocation.arguments();
    return this.#arguments;
  }

  get argumentsDigest(): Digest {
    return this.#invocation.digest;
  }

  get context(): Context {
    return this.#call.context;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
