import type { Digest } from '../json/digest.ts';
import type { IntakeReport, Issue, PatternEngine, SchemaTrust } from '../schema/schema.ts';
import type { CallRefusal } from './call-refusal.ts';
import type { InputValidator } from './input-validator.ts';
import type { Invocation } from './invocation.ts';
import type { ToolCall } from './tool-call.ts';
import type { ToolDefinition } from './tool-definition.ts';
import type { ToolOutput } from './tool-output.ts';

/** How a definition is taken in. */
export interface ContractOptions {
  /** Who wrote the schemas. Default `own`. */
  readonly trust?: SchemaTrust;
  /** A linear engine for patterns of foreign schemas. */
  readonly patternEngine?: PatternEngine;
  /** Refuse what would only be noted in the intake report. Default `false`. */
  readonly strict?: boolean;
  /** UTF-8 bytes that the argument text may have. Default 1 MiB. */
  readonly maxArgumentBytes?: number | 'none';
  /** Open brackets in the argument text. Default 64. */
  readonly maxArgumentDepth?: number;
}

/** Either an invocation, or why there is none. */
export type Prepared =
  | { readonly ok: true; readonly invocation: Invocation }
  | { readonly ok: false; readonly error: CallRefusal };

/** The trust boundary of one tool: frozen definition, compiled schema and input validator; it holds no tool. */
export declare class Contract {
  private constructor();
  get definition(): ToolDefinition;
  get digest(): Digest;
  get intake(): IntakeReport;
  prepare(call: ToolCall): Prepared;
  /** Issues of a result against the output schema; `undefined` when it may be used. */
  checkOutput(output: ToolOutput): readonly Issue[] | undefined;
}

export declare function defineContract(
  definition: ToolDefinition,
  options?: ContractOptions & { readonly validator?: InputValidator },
): Contract;
