import type { Digest } from '../json/digest.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Invocation } from './invocation.ts';
import type { CallContext, Tool, WrappingTool } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** What an authorizer sees: nothing in it can be executed. */
export interface Authorization<Context = unknown> {
  /** Frozen. */
  readonly definition: ToolDefinition;
  /** A detached copy of the admitted arguments. */
  readonly arguments: JsonObject;
  readonly argumentsDigest: Digest;
  readonly callId: string;
  readonly context: Context;
  readonly signal: AbortSignal;
}

/** Decides on one exact call: `true` permits, `false` refuses; anything else, or a throw, is no decision. */
export type Authorizer<Context = unknown> = (
  authorization: Authorization<Context>,
) => boolean | Promise<boolean>;

export interface GuardConfig<Context = unknown> {
  readonly tool: Tool<Context>;
  readonly authorizer: Authorizer<Context>;
}

export declare function guard<Context>(config: GuardConfig<Context>): WrappingTool<Context>;

/**
 * All guards of a chain as one question, for the gate; `undefined` when there is none. The promise is `false` when
 * one refuses, rejects with `AuthorizationError` when one cannot decide, and with the signal's reason when the call
 * was cancelled. A `true` lets exactly one later `dispatch` with the same invocation and the same call object pass
 * without asking again; asking again renews it.
 * @internal
 */
export declare function authorizationOf<Context>(
  tool: Tool<Context>,
): ((invocation: Invocation, call: CallContext<Context>) => Promise<boolean>) | undefined;
