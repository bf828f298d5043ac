import { ContractError } from './contract-error.ts';
import { isThrown, markThrown } from './thrown-mark.ts';

/**
 * Thrown by a tool to tell the model something. Its text is published; the text of every other error is redacted.
 * Wrapped in other errors (as `cause`) it is still found.
 *
 * @throws {@link ContractError} `tool/options-invalid` when the text is not a string.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code = 'tool/error';
  readonly #text: string;

  constructor(text: string) {
    if (typeof text !== 'string') {
      throw new ContractError('tool/options-invalid', 'ToolError needs the text for the model as a string.');
    }
    super(text);
    this.#text = text;
    markThrown(this, 'tool-error');
  }

  /** The text for the model, as given; a later change of `message` does not change it. */
  get text(): string {
    return this.#text;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is ToolError {
    return isThrown(value, 'tool-error');
  }
}
