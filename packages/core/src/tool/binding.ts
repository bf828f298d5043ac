import { checkSeal, SEAL } from '../internal/seal.ts';
import { toArgumentLimits } from './argument-limits.ts';
import { checkValidator } from './check-validator.ts';
import { type Contract, contractSource, makeContract } from './contract.ts';
import { ContractError } from './contract-error.ts';
import { type ContractOptions, checkContractOptions } from './define-contract.ts';
import { DirectCall } from './direct-call.ts';
import { type DirectExecution, directExecution } from './function-tool.ts';
import type { InputValidator } from './input-validator.ts';
import { type Invocation, invocationSource } from './invocation.ts';
import { outputOf } from './make-output.ts';
import { sealDefinition } from './sealed-definition.ts';
import type { CallContext, InputValidatingTool, Tool } from './tool.ts';
import type { ToolOutput } from './tool-output.ts';
import { capability, unwrapChain } from './wrapping.ts';

/** What a direct call hands to the tool. */
export interface BindingCallOptions<Context> {
  readonly context: Context;
  readonly signal?: AbortSignal;
}

let isOwn: (value: object) => boolean;
let make: <Context>(contract: Contract, tool: Tool<Context>) => Binding<Context>;
let run: <Context>(binding: Binding<Context>, invocation: Invocation, call: CallContext<Context>) => unknown;
let finish: <Context>(binding: Binding<Context>, result: unknown) => ToolOutput;

/** One contract together with the tool that executes it. Immutable. */
export class Binding<Context = unknown> {
  static {
    isOwn = (value) => #contract in value;
    make = (contract, tool) => new Binding(SEAL, contract, tool);
    run = (binding, invocation, call) => {
      if (invocationSource(invocation) !== contractSource(binding.#contract)) throw foreign();
      const direct = binding.#direct;
      // A function that was declared gets the input and never sees the invocation. Every other tool does.
      if (direct !== undefined) return direct.start(invocation, call);
      Object.freeze(invocation);
      return binding.#call.call(binding.#tool, invocation, call);
    };
    // What a tool gives is looked at by `outputOf`, whatever its type says.
    finish = (binding, result) => binding.#direct?.finish(result) ?? (result as ToolOutput);
  }

  readonly #contract: Contract;
  readonly #tool: Tool<Context>;
  /** Read once, as the definition was. */
  readonly #call: Tool<Context>['call'];
  /** The steps of the function that was declared, where the tool is nothing but that. */
  readonly #direct: DirectExecution<Context> | undefined;

  private constructor(seal: typeof SEAL, contract: Contract, tool: Tool<Context>) {
    checkSeal(seal, 'bind makes a binding');
    this.#contract = contract;
    this.#tool = tool;
    this.#call = tool.call;
    this.#direct = directExecution(this.#call);
    Object.freeze(this);
  }

  /** The contract that prepares invocations for this binding. Keeping it does not keep the tool. */
  get contract(): Contract {
    return this.#contract;
  }

  /** The tool that was bound: the outermost decorator, for `capability`. */
  get tool(): Tool<Context> {
    return this.#tool;
  }

  /**
   * Executes an invocation of this binding's exact contract, and checks the result against the output schema.
   * No deadline, scope, approval or budget: those are the gate's.
   *
   * @throws {@link ContractError} `tool/invocation-foreign`; `tool/output-invalid` for a result that cannot be used;
   * and what the tool throws, unchanged.
   */
  async call(
    invocation: Invocation,
    ...[options]: unknown extends Context ? [BindingCallOptions<Context>?] : [BindingCallOptions<Context>]
  ): Promise<ToolOutput> {
    if (invocationSource(invocation) === undefined) throw foreign();
    const call = new DirectCall(invocation.callId, options?.context as Context, options?.signal);
    const output = outputOf(finish(this, await run(this, invocation, call)));
    const issues = this.#contract.checkOutput(output);
    if (issues === undefined) return output;
    const pointer = issues[0]?.pointer ?? '';
    throw new ContractError('tool/output-invalid', 'The result breaks the output schema.', { pointer });
  }
}

/**
 * Binds a tool: reads its definition exactly once (through its decorators), checks, compiles and freezes it, and reads
 * its input validator, the outermost one.
 *
 * @param options - `maxArgumentBytes` here wins over the tool's own.
 * @throws {@link ContractError} `tool/not-a-tool`, `tool/wrapping-invalid`, `tool/definition-invalid`,
 * `tool/name-invalid`, `tool/schema-invalid`, `tool/validator-invalid`, `tool/options-invalid`
 */
export function bind<Context>(tool: Tool<Context>, options: ContractOptions = {}): Binding<Context> {
  checkContractOptions(options);
  unwrapChain(tool);
  const sealed = sealDefinition(readDefinition(tool), options);
  try {
    const maxBytes = options.maxArgumentBytes ?? capability(tool, hasArgumentLimit)?.maxArgumentBytes;
    const limits = toArgumentLimits(maxBytes, options.maxArgumentDepth);
    return make(makeContract({ sealed, limits, validator: readValidator(tool) }), tool);
  } catch (cause) {
    if (ContractError.is(cause)) throw cause;
    // A getter or a proxy trap threw, or `call` is a function only now and then.
    throw new ContractError('tool/not-a-tool', 'Reading the members of a tool failed.', { cause });
  }
}

/**
 * Whether a value is a genuine binding, and not an object with its prototype.
 * @internal
 */
export function isBinding<Context>(value: Tool<Context> | Binding<Context>): value is Binding<Context> {
  return typeof value === 'object' && value !== null && isOwn(value);
}

/**
 * The gate's way in: hands the call context on as it is and gives what the tool gives, a promise perhaps, for
 * {@link finishDispatch}. What the tool throws at once is thrown at once.
 *
 * @throws {@link ContractError} `tool/invocation-foreign`
 * @internal
 */
export function dispatch<Context>(
  binding: Binding<Context>,
  invocation: Invocation,
  call: CallContext<Context>,
): unknown {
  return run(binding, invocation, call);
}

/**
 * The output of what {@link dispatch} gave, or of what its promise became; of a tool that is no declared function it is
 * checked by nobody.
 *
 * @throws {@link ContractError} `tool/output-invalid`
 * @internal
 */
export function finishDispatch<Context>(binding: Binding<Context>, result: unknown): ToolOutput {
  return finish(binding, result);
}

function foreign(): ContractError {
  return new ContractError(
    'tool/invocation-foreign',
    'The invocation was admitted by another contract; prepare it with the contract of this binding.',
  );
}

function readDefinition(tool: Tool<never>): unknown {
  try {
    return tool.definition();
  } catch (cause) {
    throw new ContractError('tool/definition-invalid', 'The definition of a tool threw.', { cause });
  }
}

function readValidator<Context>(tool: Tool<Context>): InputValidator | undefined {
  const owner = capability(tool, isInputValidatingTool);
  if (owner === undefined) return undefined;
  let validator: unknown;
  try {
    validator = owner.inputValidator();
  } catch (cause) {
    throw new ContractError('tool/validator-invalid', 'The inputValidator of a tool threw.', { cause });
  }
  return validator === undefined ? undefined : checkValidator(validator);
}

function isInputValidatingTool<Context>(tool: Tool<Context>): tool is InputValidatingTool<Context> {
  return 'inputValidator' in tool;
}

function hasArgumentLimit<Context>(
  tool: Tool<Context>,
): tool is Tool<Context> & { readonly maxArgumentBytes: number | 'none' } {
  return 'maxArgumentBytes' in tool;
}
