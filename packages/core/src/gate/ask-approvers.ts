import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { ApprovalRequest, Approver } from '../policy/approval.ts';
import { toApprovalRequest } from '../policy/approval-request.ts';
import { type Decision, readDecision } from '../policy/read-decision.ts';
import type { ApprovalRule } from '../policy/scope.ts';
import { ApprovalQuestion } from './approval-question.ts';
import { authorizeCall } from './authorize-call.ts';
import { cancelContext } from './call-context.ts';
import type { CallRun } from './call-run.ts';
import type { GateEntry } from './gate-entry.ts';
import { GateError } from './gate-error.ts';
import { isThenable } from './is-thenable.ts';
import { NO_ID, newId } from './new-id.ts';
import { prepareText } from './prepare-call.ts';
import { tellAsking } from './tell-asking.ts';

/** Settles the call as declined. */
type OnDecline = (decision: Extract<Decision, { readonly kind: 'decline' }>) => false;

/**
 * Asks every approver of a rule until all of them allow. One no is a no; one that defers suspends the call after the
 * others were asked. Who edits the arguments has approved what was edited, and the others are asked about that.
 */
export async function askApprovers<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  rule: ApprovalRule<Context>,
  onDecline: OnDecline,
): Promise<boolean> {
  const first = request(run, entry, rule);
  if (first === undefined) return false;
  let present = first;
  let edits = 0;
  let deferred = false;
  const allowed = new Set<Approver<Context>>();
  for (let next = pick(rule, allowed); next !== undefined; next = pick(rule, allowed)) {
    const decision = await ask(run, entry, next, present);
    if (!run.waiting) return false;
    if (decision instanceof GateError) return fail(run, present, decision);
    if (decision.kind === 'decline') return onDecline(decision);
    deferred ||= decision.kind === 'defer';
    if (decision.kind === 'allow' && decision.argumentsText !== undefined && !deferred) {
      edits += 1;
      // Approvers that keep changing each other's arguments agree on nothing.
      if (edits > rule.approvers.length) return fail(run, present, undecided());
      run.change({ edited: true });
      if (!prepareText(run, decision.argumentsText) || !(await authorizeCall(run))) return false;
      allowed.clear();
      allowed.add(next);
      if (pick(rule, allowed) === undefined) continue;
      const again = request(run, entry, rule);
      if (again === undefined) return false;
      present = again;
      continue;
    }
    allowed.add(next);
  }
  run.stopTimer();
  return deferred ? suspend(run, first) : permit(run, present);
}

/** Describes the call as it is now, and bounds the time for a decision; `undefined` where that ended the run. */
function request<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  rule: ApprovalRule<Context>,
): ApprovalRequest | undefined {
  const { core, principal, full } = run.session;
  const { clock, ids } = core.settings;
  const { lifetimeMs } = rule;
  const { invocation } = run;
  const id = requestId(run, ids);
  if (id === undefined) return undefined;
  const made = toApprovalRequest({
    id,
    contract: entry.binding.contract,
    invocation,
    class: entry.profile.class,
    principal,
    now: clock.now(),
    lifetimeMs,
  });
  run.startTimer(lifetimeMs === 'none' ? undefined : core.deadlines.passingLane(lifetimeMs), () =>
    expire(run, made),
  );
  run.emit({
    kind: 'approval-request',
    approvalId: made.id,
    class: made.class,
    expiresAt: made.expiresAt,
    ...(full ? { request: made } : {}),
  });
  return made;
}

/** Whoever cannot name one request will not name the next: refused one by one, calls would look as if nothing was wrong. */
function requestId<Context>(run: CallRun<Context>, ids: () => string): string | undefined {
  try {
    return newId(ids);
  } catch (thrown) {
    ignoreThrown(thrown);
    const cause = GateError.is(thrown) ? undefined : thrown;
    run.emit({ kind: 'decision', step: 'approval', verdict: 'error' });
    run.fail(new GateError('gate/options-invalid', NO_ID, { cause, callId: run.call.id }), 'not_started');
    return undefined;
  }
}

/** The first approver that has not allowed the call as it is now. */
function pick<Context>(
  rule: ApprovalRule<Context>,
  allowed: ReadonlySet<Approver<Context>>,
): Approver<Context> | undefined {
  return rule.approvers.find((approver) => !allowed.has(approver));
}

async function ask<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  approver: Approver<Context>,
  made: ApprovalRequest,
): Promise<Decision | GateError> {
  try {
    const answer = approver(made, new ApprovalQuestion(run.context, entry.binding.contract.definition));
    if (!isThenable(answer)) return readDecision(answer);
    run.waited = true;
    tellAsking(run.decision?.asking, true);
    try {
      return readDecision(await answer);
    } finally {
      tellAsking(run.decision?.asking, false);
    }
  } catch (cause) {
    return undecided(cause);
  }
}

function undecided(cause?: unknown): GateError {
  return new GateError('gate/approval', 'An approver could not decide; the run ends.', { cause });
}

function fail<Context>(run: CallRun<Context>, { id }: ApprovalRequest, { message, cause }: GateError): false {
  run.emit({ kind: 'decision', step: 'approval', verdict: 'error', approvalId: id });
  return run.fail(new GateError('gate/approval', message, { cause, callId: run.call.id }), 'not_started');
}

function expire<Context>(run: CallRun<Context>, { id }: ApprovalRequest): void {
  run.emit({ kind: 'decision', step: 'approval', verdict: 'expire', approvalId: id });
  run.refuse('approval_expired');
  cancelContext(run.context, new DOMException('No decision was made in time.', 'TimeoutError'));
}

function permit<Context>(run: CallRun<Context>, { id }: ApprovalRequest): true {
  const edited = run.changes.edited ? { edited: true as const } : {};
  run.emit({ kind: 'decision', step: 'approval', verdict: 'allow', approvalId: id, ...edited });
  return true;
}

/** The request for the arguments as proposed: they are what is prepared again when the decision is there. */
function suspend<Context>(run: CallRun<Context>, approval: ApprovalRequest): false {
  run.emit({ kind: 'decision', step: 'approval', verdict: 'defer', approvalId: approval.id });
  const { id: callId, name } = run.call;
  run.settle(Object.freeze({ kind: 'suspended', reason: 'approval_pending', callId, name, approval }));
  return false;
}
