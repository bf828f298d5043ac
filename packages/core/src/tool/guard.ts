import { askAuthorizer } from './ask-authorizer.ts';
import type { Authorizer } from './authorizer.ts';
import { ContractError } from './contract-error.ts';
import { Failure } from './failure.ts';
import type { Invocation } from './invocation.ts';
import { sealDefinition } from './sealed-definition.ts';
import type { CallContext, Tool, WrappingTool } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';
import type { ToolOutput } from './tool-output.ts';
import { unwrapChain } from './wrapping.ts';

/** What a guard is made of. */
export interface GuardConfig<Context = unknown> {
  readonly tool: Tool<Context>;
  readonly authorizer: Authorizer<Context>;
}

let ask: (guard: object, invocation: Invocation, call: CallContext<never>) => Promise<boolean>;
let isGuard: (value: object) => boolean;

class Guard<Context> implements WrappingTool<Context> {
  static {
    isGuard = (value) => #authorizer in value;
    ask = (guard, invocation, call) => (guard as Guard<never>).#ask(invocation, call);
  }

  readonly definition: () => ToolDefinition;
  readonly call: (invocation: Invocation, call: CallContext<Context>) => Promise<ToolOutput>;
  readonly unwrap: () => Tool<Context>;
  readonly #definition: ToolDefinition;
  readonly #authorizer: Authorizer<Context>;
  /** Calls that the gate asked about; each permits one execution of the invocation it was asked about. */
  readonly #permitted = new WeakMap<CallContext<Context>, Invocation>();

  constructor(tool: Tool<Context>, definition: ToolDefinition, authorizer: Authorizer<Context>) {
    const execute = tool.call;
    this.#definition = definition;
    this.#authorizer = authorizer;
    this.definition = () => definition;
    this.unwrap = () => tool;
    this.call = async (invocation, call) => {
      if (
        !this.#usePermit(invocation, call) &&
        !(await askAuthorizer(authorizer, definition, invocation, call))
      ) {
        throw new Failure({ kind: 'rejected', output: 'The call is not authorized.' });
      }
      return execute.call(tool, invocation, call);
    };
    Object.freeze(this);
  }

  async #ask(invocation: Invocation, call: CallContext<Context>): Promise<boolean> {
    this.#permitted.delete(call);
    if (!(await askAuthorizer(this.#authorizer, this.#definition, invocation, call))) return false;
    this.#permitted.set(call, invocation);
    return true;
  }

  #usePermit(invocation: Invocation, call: CallContext<Context>): boolean {
    return this.#permitted.get(call) === invocation && this.#permitted.delete(call);
  }
}

/**
 * Puts a policy in front of a tool: asked on every call, whoever calls. `false` ends the call as a `Failure` of kind
 * rejected; a throw or any other answer as `AuthorizationError`. The tool runs in neither case.
 *
 * @returns A decorator with a snapshot of the definition: a later change of the tool's cannot widen what was approved.
 * @throws {@link ContractError} `tool/options-invalid` without an authorizer; for the tool, as `bind`.
 */
export function guard<Context>(config: GuardConfig<Context>): WrappingTool<Context> {
  const { tool, authorizer } = config;
  if (typeof authorizer !== 'function') {
    throw new ContractError(
      'tool/options-invalid',
      'guard needs an authorizer: a function that answers true or false.',
    );
  }
  unwrapChain(tool);
  return new Guard(tool, snapshot(tool), authorizer);
}

/**
 * All guards of a chain as one question, for the gate; `undefined` when there is none.
 *
 * The promise is `false` when one refuses, rejects with `AuthorizationError` when one cannot decide, and with the
 * reason of the signal when the call was cancelled. After `true`, one `dispatch` of the same invocation with the same
 * call object passes the guards without asking; asking again renews that.
 *
 * @throws {@link ContractError} `tool/not-a-tool`, `tool/wrapping-invalid`
 * @internal
 */
export function authorizationOf<Context>(
  tool: Tool<Context>,
): ((invocation: Invocation, call: CallContext<Context>) => Promise<boolean>) | undefined {
  const guards = unwrapChain(tool).filter(isGuard);
  if (guards.length === 0) return undefined;
  return async (invocation, call) => {
    for (const guard of guards) if (!(await ask(guard, invocation, call as CallContext<never>))) return false;
    return true;
  };
}

function snapshot(tool: Tool<never>): ToolDefinition {
  try {
    return sealDefinition(tool.definition()).definition;
  } catch (cause) {
    if (ContractError.is(cause)) throw cause;
    throw new ContractError('tool/definition-invalid', 'The definition of a tool threw.', { cause });
  }
}
