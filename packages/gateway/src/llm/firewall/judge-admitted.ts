import { type Authorizer, ignoreThrown, type JsonObject, writeJson } from '@toolgate/core';
import { askApproval } from './ask-approval.ts';
import type { AdmittedCall, CallNote } from './call-account.ts';
import {
  type CallAnswer,
  type CallVerdict,
  type ProposedCall,
  type RefuseVerdict,
  refuseCall,
} from './call-verdict.ts';
import type { Caller } from './caller.ts';
import type { JudgeOptions } from './judge-options.ts';

/** Refuses by a rule of the route, or only writes it down where the route observes. */
export type ByRoute = (call: ProposedCall, verdict: RefuseVerdict, note?: CallNote) => CallVerdict;

/** Asks the authorizer and, where the route demands it, a person about a call that its schema lets through. */
export function judgeAdmitted(admitted: AdmittedCall, options: JudgeOptions, byRoute: ByRoute): CallAnswer {
  const { authorize } = options;
  if (authorize === undefined) return afterAuthorization(admitted, options, byRoute);
  const answer = askAuthorizer(admitted, options, authorize);
  if (answer === true) return afterAuthorization(admitted, options, byRoute);
  const refuse = (detail?: string): CallVerdict =>
    byRoute(admitted.call, refuseCall('not_authorized'), { admitted, detail });
  if (!isPromise(answer)) return refuse(answer === false ? undefined : 'authorizer_failed');
  return Promise.resolve(answer).then(
    (permits: unknown) => {
      if (permits === true) return afterAuthorization(admitted, options, byRoute);
      return refuse(permits === false ? undefined : 'authorizer_failed');
    },
    (thrown: unknown) => {
      ignoreThrown(thrown);
      return refuse('authorizer_failed');
    },
  );
}

function askAuthorizer(
  { contract, invocation }: AdmittedCall,
  { caller, signal }: JudgeOptions,
  authorize: Authorizer<Caller>,
): unknown {
  try {
    return authorize({
      callId: invocation.callId,
      definition: contract.definition,
      arguments: invocation.arguments(),
      argumentsDigest: invocation.digest,
      context: caller,
      signal: signal(),
    });
  } catch (thrown) {
    ignoreThrown(thrown);
    return undefined;
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function afterAuthorization(admitted: AdmittedCall, options: JudgeOptions, byRoute: ByRoute): CallAnswer {
  const { account, policy } = options;
  const { call } = admitted;
  const need = policy.approvalFor(call.name, admitted.class);
  if (need === undefined) return account.released(call, undefined, { admitted });
  if (policy.mode === 'observe') return byRoute(call, refuseCall('approval_expired'), { admitted });
  return approve(admitted, need.lifetimeMs, options);
}

async function approve(
  admitted: AdmittedCall,
  lifetimeMs: number,
  options: JudgeOptions,
): Promise<CallVerdict> {
  const { account, caller, desk } = options;
  const { call } = admitted;
  const since = desk.now();
  try {
    const end = await askApproval(
      {
        admitted,
        caller,
        lifetimeMs,
        present: options.present,
        rules: options.rules,
        signal: options.signal(),
      },
      desk,
    );
    if (end.kind === 'crowded')
      return account.refused(call, refuseCall('not_started'), { admitted, detail: 'approval_limit', since });
    const note = { admitted, approvalId: end.id, since };
    switch (end.kind) {
      case 'approved':
        return await release(admitted, end.arguments, note, options);
      case 'declined': {
        const reason = end.reason === undefined ? '' : cleanReason(end.reason);
        const refusal = refuseCall('approval_declined');
        const text = reason === '' ? refusal.text : `${refusal.text} Reason: ${reason}`;
        return account.refused(call, refuseCall('approval_declined', text), note);
      }
      case 'keyless':
        return account.refused(call, refuseCall('not_authorized'), { ...note, detail: 'key_changed' });
      case 'ruled-out':
        return account.refused(call, refuseCall('not_authorized'), { ...note, detail: 'rules_changed' });
      case 'expired':
        return account.refused(call, refuseCall('approval_expired'), note);
      case 'cancelled':
        return account.refused(call, refuseCall('not_started'), note);
    }
  } catch (error) {
    // No decision is no yes: storage failed, or the client is gone.
    if (!options.signal().aborted) options.onDefect(error);
    return account.refused(call, refuseCall('not_started'), {
      admitted,
      detail: 'approval_unavailable',
      since,
    });
  }
}

/** What a reviewer wrote instead is admitted by the same contract and authorizer, or does not go out. */
async function release(
  admitted: AdmittedCall,
  edited: JsonObject | undefined,
  note: CallNote,
  options: JudgeOptions,
): Promise<CallVerdict> {
  const { account } = options;
  const { call, contract, invocation } = admitted;
  if (edited === undefined) return account.released(call, undefined, note);
  const text = writeJson(edited);
  const prepared = contract.prepare({ id: call.callId, name: invocation.name, arguments: text });
  if (!prepared.ok) return account.refused(call, refuseCall(prepared.error.reason), note);
  // What is written down is what goes out: of a custom call its text.
  const { input } = edited;
  const given = call.foreign && typeof input === 'string' ? input : text;
  const changedCall = { ...call, arguments: given };
  const changed = { ...admitted, call: changedCall, invocation: prepared.invocation };
  const changedNote = { ...note, admitted: changed };
  if (!(await permitsChanged(changed, options)))
    return account.refused(changedCall, refuseCall('not_authorized'), changedNote);
  return account.released(changedCall, { kind: 'release', arguments: text }, changedNote);
}

/** The authorizer was asked about other arguments before. */
async function permitsChanged(changed: AdmittedCall, options: JudgeOptions): Promise<boolean> {
  const { authorize } = options;
  if (authorize === undefined) return true;
  try {
    return (await askAuthorizer(changed, options, authorize)) === true;
  } catch {
    return false;
  }
}

const MAX_REASON_LENGTH = 500;

/** A reviewer's words on one line, without invisible characters, cut. */
function cleanReason(reason: string): string {
  return reason
    .slice(0, MAX_REASON_LENGTH)
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}
