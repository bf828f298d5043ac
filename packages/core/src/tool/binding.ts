import type { Contract, ContractOptions } from './contract.ts';
import type { Invocation } from './invocation.ts';
import type { CallContext, Tool } from './tool.ts';
import type { ToolOutput } from './tool-output.ts';

/** What a direct call needs. */
export interface BindingCallOptions<Context> {
  readonly context: Context;
  readonly signal?: AbortSignal;
}

/** One contract together with the tool that executes it. */
export declare class Binding<Context = unknown> {
  private constructor();
  get contract(): Contract;
  /** The bound tool, outermost decorator; for capabilities. */
  get tool(): Tool<Context>;
  /** Executes and checks the output schema. @throws `tool/invocation-foreign`, `tool/output-invalid`, and what the tool throws. */
  call(invocation: Invocation, options: BindingCallOptions<Context>): Promise<ToolOutput>;
}

export declare function bind<Context>(tool: Tool<Context>, options?: ContractOptions): Binding<Context>;

/**
 * The gate's way in: hands the call context on as it is, returns what the tool returns (any value: validate with
 * `outputOf`), does not check the output schema. Throws synchronously what the tool throws synchronously.
 * @internal
 */
export declare function dispatch<Context>(
  binding: Binding<Context>,
  invocation: Invocation,
  call: CallContext<Context>,
): Promise<ToolOutput>;
