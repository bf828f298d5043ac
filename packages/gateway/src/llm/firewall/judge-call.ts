import type { Authorizer } from '@toolgate/core';
import type { FunctionTool } from '@toolgate/model';
import { type Principal, permitsTool } from '../../ports/principal.ts';
import type { ApprovalDesk } from './ask-approval.ts';
import type { CallAccount, CallNote } from './call-account.ts';
import {
  type CallAnswer,
  type CallVerdict,
  type ProposedCall,
  type RefuseVerdict,
  refuseCall,
} from './call-verdict.ts';
import type { Caller } from './caller.ts';
import { type ContractCache, contractName } from './contract-cache.ts';
import type { FirewallPolicy } from './firewall-policy.ts';
import { judgeAdmitted } from './judge-admitted.ts';
import { judgeSchemaless } from './judge-schemaless.ts';

/** What one request brings to the judgement of its calls. */
export interface JudgeOptions {
  readonly caller: Caller;
  readonly policy: FirewallPolicy;
  readonly contracts: ContractCache;
  /** The client's own function tools that were offered to the model, by name. */
  readonly tools: ReadonlyMap<string, FunctionTool>;
  /** The only tools that the client's choice lets the model call; `undefined` where it leaves them all. */
  readonly choosable?: ReadonlySet<string> | undefined;
  /** Names of the custom tools that were offered. */
  readonly customTools: ReadonlySet<string>;
  /** Kinds of the tools that were offered and that the protocol defines. */
  readonly hostedTools: ReadonlySet<string>;
  /** Asked after the schema, before an approval. */
  readonly authorize: Authorizer<Caller> | undefined;
  readonly desk: ApprovalDesk;
  readonly account: CallAccount;
  /** Who presents the key of the request now; asked before a call that waited for a person goes out. */
  readonly present: () => Promise<Principal | undefined>;
  /** Aborted when the client is gone; made when it is needed. */
  readonly signal: () => AbortSignal;
}

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
