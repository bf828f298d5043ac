import { permitsTool } from '../../ports/principal.ts';
import type { CallNote } from './call-account.ts';
import {
  type CallAnswer,
  type CallVerdict,
  type ProposedCall,
  type RefuseVerdict,
  refuseCall,
} from './call-verdict.ts';
import { contractName } from './contract-cache.ts';
import { judgeAdmitted } from './judge-admitted.ts';
import type { JudgeOptions } from './judge-options.ts';
import { judgeSchemaless } from './judge-schemaless.ts';

/** Judges the calls of one turn, one after the other. Answers at once unless somebody has to be asked. */
export type CallJudge = (call: ProposedCall) => CallAnswer;

/**
 * Makes the judge of one turn: unique id, finished, offered, chosen and permitted (key and route), valid by the client's
 * own schema, authorised, approved. The rules of the key always hold; those of the route are only written down where it
 * observes.
 */
export function createCallJudge(options: JudgeOptions): CallJudge {
  const { account, caller, choosable, contracts, policy, tools } = options;
  /** The first id stands alone: most turns have one call. */
  let first: string | undefined;
  let more: Set<string> | undefined;

  const byRoute = (call: ProposedCall, verdict: RefuseVerdict, note?: CallNote): CallVerdict =>
    policy.mode === 'enforce'
      ? account.refused(call, verdict, note)
      : account.observed(call, verdict.reason, note);

  const isSeen = (id: string): boolean => {
    if (first === undefined) {
      first = id;
      return false;
    }
    if (first === id || more?.has(id) === true) return true;
    more ??= new Set();
    more.add(id);
    return false;
  };

  return (call) => {
    if (isSeen(call.callId)) return account.refused(call, refuseCall('call_id_duplicate'));
    if (!call.complete) return account.refused(call, refuseCall('call_incomplete'));
    if (!permitsTool(caller.principal, call.name)) {
      return account.refused(call, refuseCall('tool_unavailable'), { detail: 'scope_denied' });
    }
    if (!policy.permits(call.name)) {
      return byRoute(call, refuseCall('tool_unavailable'), { detail: 'scope_denied' });
    }
    if (choosable?.has(call.name) === false) {
      return byRoute(call, refuseCall('tool_unavailable'), { detail: 'scope_denied' });
    }
    const tool = tools.get(call.name);
    // A tool that the provider defines and the client runs comes as an ordinary call on some wires.
    if (call.foreign || (tool === undefined && options.customTools.has(call.name)))
      return judgeSchemaless(call, options, byRoute);
    if (tool === undefined) return byRoute(call, refuseCall('tool_unavailable'), { detail: 'unknown_name' });
    const found = contracts.contractOf(tool);
    if (found.kind === 'unusable')
      return byRoute(call, refuseCall('validator_defect'), { detail: found.code });
    const { contract } = found;
    // The contract has made its name of the same one already.
    const name = call.name === tool.name ? contract.definition.name : contractName(call.name);
    const prepared = contract.prepare({ id: call.callId, name, arguments: call.arguments });
    if (!prepared.ok) return byRoute(call, refuseCall(prepared.error.reason, prepared.error.text));
    const admitted = { call, class: policy.classOf(call.name), contract, invocation: prepared.invocation };
    return judgeAdmitted(admitted, options, byRoute);
  };
}
