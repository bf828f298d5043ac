import type { JsonObject } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import { askAuthorizer } from './ask-authorizer.ts';
import type { Authorizer } from './authorizer.ts';
import type { Contract } from './contract.ts';
import type { CallContext } from './tool.ts';

/**
 * Asks a policy again, about a call as it turns out while it runs: the target of a redirect, the file behind a link.
 * An approval and an authorisation bind arguments, not what comes of them; a tool that is led elsewhere asks with the
 * arguments that would have led there at once.
 *
 * @returns `false` also when the contract does not admit the arguments.
 * @throws AuthorizationError when the authorizer could not decide; `JsonError` for arguments that have no JSON form.
 */
export async function recheck<Context>(
  authorizer: Authorizer<Context>,
  contract: Contract,
  changed: JsonObject,
  call: CallContext<Context>,
): Promise<boolean> {
  const { definition } = contract;
  const prepared = contract.prepare({
    id: call.callId ?? '',
    name: definition.name,
    arguments: writeJson(changed),
  });
  return prepared.ok && askAuthorizer(authorizer, definition, prepared.invocation, call);
}
