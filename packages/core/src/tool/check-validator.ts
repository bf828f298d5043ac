import { ContractError } from './contract-error.ts';
import type { InputValidator } from './input-validator.ts';

/**
 * The validator, when it can be one.
 *
 * @throws {@link ContractError} `tool/validator-invalid` for anything but a function, and for an `async` one.
 */
export function checkValidator(raw: unknown): InputValidator {
  if (typeof raw !== 'function') {
    throw new ContractError('tool/validator-invalid', 'An input validator has to be a function.');
  }
  if (Object.prototype.toString.call(raw) === '[object AsyncFunction]') {
    throw new ContractError(
      'tool/validator-invalid',
      'An input validator has to answer at once: drop async, and do checks with I/O in the handler.',
    );
  }
  return raw as InputValidator;
}
