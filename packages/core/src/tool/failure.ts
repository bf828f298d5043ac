import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { ContractError } from './contract-error.ts';
import { outputOf } from './make-output.ts';
import { isThrown, markThrown } from './thrown-mark.ts';
import type { ToolOutput } from './tool-output.ts';

/** `failed`: it definitely did not succeed, perhaps with partial effects. `rejected`: it was not permitted to run. */
export type FailureKind = 'failed' | 'rejected';

/** One definite unsuccessful outcome. */
export interface FailureConfig {
  readonly kind: FailureKind;
  /** What the model is told; a string is plain text. */
  readonly output: ToolOutput | string;
  /** For diagnosis only. A failed call needs one; a rejection may be a decision without an error. */
  readonly cause?: unknown;
}

/**
 * Thrown by a tool to state the one definite unsuccessful outcome of its call, with output for the model. The cause
 * is sealed: it is no property, no `cause`, and cannot change kind or output. Only `diagnosis()` gives it.
 *
 * @throws {@link ContractError} `tool/options-invalid` for another kind, or a failed call without a cause;
 * `tool/output-invalid` for an output that cannot be sent.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code = 'tool/failure';
  readonly kind: FailureKind;
  readonly #output: ToolOutput;
  readonly #cause: unknown;

  constructor(config: FailureConfig) {
    const { kind, output, cause } = config;
    if (kind !== 'failed' && kind !== 'rejected') {
      throw new ContractError('tool/options-invalid', "Failure needs the kind 'failed' or 'rejected'.");
    }
    if (kind === 'failed' && (cause === undefined || cause === null)) {
      throw new ContractError('tool/options-invalid', "Failure of kind 'failed' needs a cause.");
    }
    super(kind === 'failed' ? 'The tool call failed.' : 'The tool call was rejected.');
    ignoreThrown(cause);
    this.kind = kind;
    this.#output = outputOf(output);
    this.#cause = cause;
    markThrown(this, 'failure');
  }

  /** What the model is told. */
  get output(): ToolOutput {
    return this.#output;
  }

  /** The sealed cause; for diagnosis, never for the model. */
  diagnosis(): unknown {
    return this.#cause;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is Failure {
    return isThrown(value, 'failure');
  }
}
