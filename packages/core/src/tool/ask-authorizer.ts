import { AuthorizationError } from './authorization-error.ts';
import { AuthorizationQuestion, type Authorizer } from './authorizer.ts';
import { isOwnCancellation, throwIfCancelled } from './cancellation.ts';
import { ContractError } from './contract-error.ts';
import type { Invocation } from './invocation.ts';
import type { CallContext } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * Puts one exact call to an authorizer.
 *
 * @throws AuthorizationError when it throws, or answers something else than a boolean; the reason of the signal when
 * the call was cancelled.
 */
export async function askAuthorizer<Context>(
  authorizer: Authorizer<Context>,
  definition: ToolDefinition,
  invocation: Invocation,
  call: CallContext<Context>,
): Promise<boolean> {
  throwIfCancelled(call);
  let answer: unknown;
  try {
    answer = await authorizer(new AuthorizationQuestion(definition, invocation, call));
  } catch (cause) {
    if (isOwnCancellation(call, cause)) throw call.signal.reason;
    throw new AuthorizationError(cause);
  }
  if (typeof answer === 'boolean') return answer;
  throw new AuthorizationError(
    new ContractError('tool/options-invalid', 'An authorizer has to answer true or false.'),
  );
}
