import { ContractError } from './contract-error.ts';
import { isThrown, markThrown } from './thrown-mark.ts';

/**
 * Thrown by a tool to end the run: sibling calls are cancelled and joined, and the cause reaches the application.
 * The model gets nothing.
 *
 * @throws {@link ContractError} `tool/options-invalid` without a cause.
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly code = 'tool/permanent';

  constructor(cause: unknown) {
    if (cause === undefined || cause === null) {
      throw new ContractError('tool/options-invalid', 'PermanentError needs the cause that ends the run.');
    }
    super('The run has to end.', { cause });
    markThrown(this, 'permanent');
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is PermanentError {
    return isThrown(value, 'permanent');
  }
}
