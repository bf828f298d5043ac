import { ignoreThrown } from '@toolgate/core';

/**
 * Every code of a {@link ControlError}.
 *
 * `provider-invalid`, `spec-invalid`, `call-invalid`, `meta-invalid`, `outcome-invalid`: a value that breaks its
 * bounds. `projection-inactive`: there is nothing to assert again or to capture. `projection-conflict`: what was
 * approved cannot be proved intact; the candidate must not be opened. `capture-exhausted`: more control calls than
 * can be told apart; the attempt must be aborted. `capture-released`: a control call came after its attempt was over.
 * `token-invalid`: a state of the protocol that is damaged, foreign, or cannot be right. `options-invalid`: an argument
 * or option that makes no sense.
 */
export const controlErrorCodes = [
  'control/provider-invalid',
  'control/spec-invalid',
  'control/call-invalid',
  'control/meta-invalid',
  'control/outcome-invalid',
  'control/projection-inactive',
  'control/projection-conflict',
  'control/capture-exhausted',
  'control/capture-released',
  'control/token-invalid',
  'control/options-invalid',
] as const;

/** A code of {@link ControlError}. */
export type ControlErrorCode = (typeof controlErrorCodes)[number];

/** The one error class of this package. `message` never holds an argument, a result or an instruction. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    ignoreThrown(options?.cause);
    this.code = code;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is ControlError {
    try {
      if (!(value instanceof Error) || value.name !== 'ControlError' || !('code' in value)) return false;
      return controlErrorCodes.some((code) => code === value.code);
    } catch {
      return false;
    }
  }
}
