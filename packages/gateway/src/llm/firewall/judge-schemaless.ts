import { type JsonObject, readJson } from '@toolgate/core';
import type { FunctionTool } from '@toolgate/model';
import { type CallAnswer, type CallVerdict, type ProposedCall, refuseCall } from './call-verdict.ts';
import { contractName } from './contract-cache.ts';
import { isOfferedForeign } from './foreign-call.ts';
import { type ByRoute, judgeAdmitted } from './judge-admitted.ts';
import type { JudgeOptions } from './judge-options.ts';

/** What a person is shown of a custom call. */
const TEXT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const;
/** Of a tool that its provider defines, and that comes as an ordinary call. */
const ANYTHING = { type: 'object' } as const;

/**
 * Judges a call of a tool that has no schema. The authorizer and, where the route asks for a yes, a person are shown what
 * there is: the text of a custom call as `{ "input": text }`, or the arguments as they are. A call that has neither can
 * be neither authorised nor approved.
 */
export function judgeSchemaless(call: ProposedCall, options: JudgeOptions, byRoute: ByRoute): CallAnswer {
  const { account, customTools, hostedTools, policy } = options;
  if (!isOfferedForeign(call, { named: customTools, hosted: hostedTools }))
    return byRoute(call, refuseCall('tool_unavailable'), { detail: 'unknown_name' });
  const executionClass = policy.classOf(call.name);
  const needsApproval = policy.approvalFor(call.name, executionClass) !== undefined;
  if (!needsApproval && options.authorize === undefined) return account.released(call);
  if (call.opaque === true) {
    const detail = needsApproval ? 'approval_unsupported' : 'authorizer_unsupported';
    return byRoute(call, refuseCall('not_authorized'), { detail });
  }
  const tool: FunctionTool = {
    kind: 'function',
    name: call.name,
    description: '',
    parameters: call.foreign ? TEXT : ANYTHING,
  };
  const found = options.contracts.contractOf(tool);
  if (found.kind === 'unusable') return byRoute(call, refuseCall('validator_defect'), { detail: found.code });
  const { contract } = found;
  const shown = call.foreign ? writeText(call.arguments) : call.arguments;
  const prepared = contract.prepare({ id: call.callId, name: contractName(call.name), arguments: shown });
  if (!prepared.ok) return byRoute(call, refuseCall(prepared.error.reason, prepared.error.text));
  const answer = judgeAdmitted(
    { call, class: executionClass, contract, invocation: prepared.invocation },
    options,
    byRoute,
  );
  if (!call.foreign) return answer;
  return answer instanceof Promise ? answer.then(toInput) : toInput(answer);
}

/** The record as text; half a character in it is refused by whoever reads it. */
function writeText(input: string): string {
  return JSON.stringify({ input });
}

/** What a reviewer wrote instead, as the custom call holds it. The contract has let it through: it is an object. */
function toInput(verdict: CallVerdict): CallVerdict {
  if (verdict.kind !== 'release' || verdict.arguments === undefined) return verdict;
  const record = readJson(verdict.arguments, { maxBytes: 'none' }) as JsonObject;
  const input = 'input' in record ? record['input'] : undefined;
  if (typeof input !== 'string') return refuseCall('arguments_rejected');
  return { ...verdict, arguments: input };
}
