import { redeemGrant, type VoidReason } from '../policy/approval-grant.ts';
import { PolicyError } from '../policy/policy-error.ts';
import type { Decision } from '../policy/read-decision.ts';
import { textOutput } from '../tool/make-output.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import { askApprovers } from './ask-approvers.ts';
import { authorizeCall } from './authorize-call.ts';
import type { CallRun } from './call-run.ts';
import { declinedKey } from './declined-key.ts';
import type { GateEntry } from './gate-entry.ts';
import { prepareText } from './prepare-call.ts';
import { publishText } from './publish-output.ts';
import { REASONS } from './reason.ts';

/** Gets a yes for the call, where it needs one: from a grant, or from every approver that the scope names. */
export function approveCall<Context>(run: CallRun<Context>): boolean | Promise<boolean> {
  const { entry, decision, session } = run;
  if (decision?.decline !== undefined) return decline(run, decision.decline, keyOf(run, entry));
  if (decision?.grant !== undefined) return useGrant(run, entry, decision.grant);
  const rule = session.approvalFor(entry);
  if (rule === undefined) return true;
  const key = keyOf(run, entry);
  if (session.wasDeclined(key)) {
    run.emit({ kind: 'decision', step: 'approval', verdict: 'deny', detail: 'repeated' });
    return run.refuse('approval_declined');
  }
  return askApprovers(run, entry, rule, (declined) => decline(run, declined, key));
}

function decline<Context>(
  run: CallRun<Context>,
  decision: Extract<Decision, { readonly kind: 'decline' }>,
  key: string,
): false {
  run.session.addDeclined(key);
  run.emit({ kind: 'decision', step: 'approval', verdict: 'deny' });
  const { reason } = decision;
  const { text } = REASONS.approval_declined;
  return run.refuse(
    'approval_declined',
    reason === undefined ? undefined : publishText(run, `${text} Reason: ${reason}`, 'approval_declined'),
  );
}

function useGrant<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  grant: NonNullable<NonNullable<CallRun<Context>['decision']>['grant']>,
): boolean | Promise<boolean> {
  const { invocation, session } = run;
  const approvalId = grant.request.id;
  const redeemed = session.wasUsed(approvalId)
    ? ({ ok: false, reason: 'used' } as const)
    : redeemGrant(grant, {
        callId: invocation.callId,
        tool: entry.name,
        contractDigest: entry.binding.contract.digest,
        argumentsDigest: invocation.digest,
        ...(session.principal === undefined ? {} : { principal: session.principal }),
        now: session.core.settings.clock.now(),
      });
  if (!redeemed.ok) return voidGrant(run, approvalId, redeemed.reason);
  session.addUsed(approvalId);
  const edited = redeemed.argumentsText !== undefined;
  run.emit({
    kind: 'decision',
    step: 'approval',
    verdict: 'allow',
    approvalId,
    ...(edited ? { edited } : {}),
  });
  if (redeemed.argumentsText === undefined) return true;
  run.change({ edited: true });
  return prepareText(run, redeemed.argumentsText) && authorizeCall(run);
}

/** Never shown as a person's refusal: somebody said yes, but not to this call as it is now. */
function voidGrant<Context>(run: CallRun<Context>, approvalId: string, detail: VoidReason): false {
  run.emit({ kind: 'decision', step: 'approval', verdict: 'expire', approvalId, detail });
  const cause = new PolicyError('policy/grant-void', `The grant permits nothing (${detail}).`);
  return run.refuse('approval_expired', voidOutput(detail), { cause });
}

/** What the model is told when it is not the time that ran out. */
function voidOutput(detail: VoidReason): ToolOutput | undefined {
  switch (detail) {
    case 'expired':
      return undefined;
    case 'contract':
      return textOutput('The tool has changed since the call was approved. The call was not run.');
    case 'used':
    case 'call':
    case 'arguments':
    case 'principal':
      return textOutput('The approval was not given for this call. The call was not run.');
  }
}

function keyOf<Context>({ invocation }: CallRun<Context>, { binding }: GateEntry<Context>): string {
  return declinedKey({ contractDigest: binding.contract.digest, argumentsDigest: invocation.digest });
}
