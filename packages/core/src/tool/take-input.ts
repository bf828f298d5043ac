import { ContractError } from './contract-error.ts';
import type { InputValidator } from './input-validator.ts';
import { type Invocation, invocationSource, TAKEN, takeValidatedInput } from './invocation.ts';
import { runValidator } from './run-validator.ts';

/**
 * The typed input of one execution, owned by the handler. What `prepare` made is used once, and only when it was made
 * by this very validator; otherwise the arguments are validated again.
 *
 * @throws {@link ContractError} `tool/input-unstable` when the validator does not accept them this time.
 */
export function takeInput(invocation: Invocation, validator: InputValidator | undefined): unknown {
  if (validator === undefined) return invocation.arguments();
  if (invocationSource(invocation)?.validator === validator) {
    const input = takeValidatedInput(invocation);
    if (input !== TAKEN) return input;
  }
  const run = runValidator(validator, invocation.arguments());
  if (run.kind === 'valid') return run.value;
  throw new ContractError(
    'tool/input-unstable',
    'The input validator refused arguments that were admitted; it has to be deterministic, and the same for a decorator as for its tool.',
    { cause: run.kind === 'defect' ? run.cause : undefined },
  );
}
