import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { ContractError } from './contract-error.ts';
import { outputOf } from './make-output.ts';
import { isThrown, markThrown } from './thrown-mark.ts';
import type { ToolOutput } from './tool-output.ts';

/** An error together with what was observed before it. */
export interface CallErrorConfig {
  readonly cause: unknown;
  /** What was observed; a string is plain text. Missing observations do not prove that nothing happened. */
  readonly evidence: ToolOutput | string;
  /**
   * The connection to whatever executes the call broke, so that nothing more will be heard of it: the outcome is
   * `interrupted` instead of `call_error`. Default `false`.
   */
  readonly interrupted?: boolean;
}

/**
 * Thrown by a tool that observed something before an error and cannot say how the call ended. It states no outcome
 * and no retry policy. `cause` stays visible: a `Failure` or `PermanentError` in it keeps its meaning.
 *
 * @throws {@link ContractError} `tool/options-invalid` without a cause; `tool/output-invalid` for evidence that cannot be sent.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code = 'tool/call-error';
  /** Whether the connection to whatever executes the call broke. */
  readonly interrupted: boolean;
  readonly #evidence: ToolOutput;

  constructor(config: CallErrorConfig) {
    if (config.cause === undefined || config.cause === null) {
      throw new ContractError('tool/options-invalid', 'CallError needs the cause that interrupted the call.');
    }
    super('The tool call ended with an error; its outcome is unknown.', { cause: config.cause });
    ignoreThrown(config.cause);
    this.interrupted = config.interrupted === true;
    this.#evidence = outputOf(config.evidence);
    markThrown(this, 'call-error');
  }

  /** What was observed before the error; never a completed result. */
  get evidence(): ToolOutput {
    return this.#evidence;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is CallError {
    return isThrown(value, 'call-error');
  }
}
