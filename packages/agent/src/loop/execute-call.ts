import {
  type ApprovalGrant,
  createGrant,
  type ExecuteOptions,
  GateError,
  ignoreThrown,
  PolicyError,
  type ToolCall,
} from '@toolgate/core';
import type { AgentSettings } from '../agent-config.ts';
import type { OpenRun } from '../open-run.ts';
import type { RunOptions } from '../run-options.ts';
import { type RunOutcome, toRunOutcome } from '../state/run-outcome.ts';
import type { RunWarning } from '../state/run-warning.ts';
import { askCallSignal } from './ask-call-signal.ts';
import type { EmitEvent } from './ask-model.ts';
import { claimWithin } from './claim-within.ts';
import { elapsedSince, startWatch } from './elapsed.ts';
import type { DecisionData, FailureData, ToolStepInput, ToolStepValue } from './loop-rules.ts';
import { fixedOutcome } from './unsettled-outcome.ts';
import { withinTime } from './within-time.ts';

/** A tool step, and what ended the run in it, for diagnosis. */
export interface ExecutedCall {
  readonly value: ToolStepValue;
  readonly cause?: unknown;
}

/** A decision that settled its call, or a call on its way. */
type TakenDecision =
  | { readonly outcome: RunOutcome }
  | { readonly outcome?: undefined; readonly started: Promise<RunOutcome> };

/**
 * Puts one call through the gate, with the decision about it where there is one. Never throws: what ends the run comes
 * back as data beside an outcome that is true either way.
 *
 * @param callSignal - Gives a signal that cancels this call alone.
 */
export async function executeCall<Context>(
  { turn, call: proposed, decision, remainingMs }: ToolStepInput,
  run: OpenRun,
  { clock, claimDecision }: Pick<AgentSettings<Context>, 'clock' | 'claimDecision'>,
  emit: EmitEvent,
  callSignal?: RunOptions['callSignal'],
): Promise<ExecutedCall> {
  // Whoever is shown it, by a hook or an event, must not change what runs.
  const call = Object.freeze({ ...proposed });
  const ownSignal = askCallSignal(callSignal, call);
  const watch = startWatch(clock);
  const stoodBefore = run.standstill.totalMs();
  const question = run.standstill.question();
  await emit({ kind: 'tool-start', turn, call });
  const warnings = run.offered.isChanged(call.name) ? [changed(turn, call)] : [];
  for (const warning of warnings) await emit({ kind: 'warning', ...warning });
  let outcome = fixedOutcome(call, 'not_started');
  let ended: Pick<ToolStepValue, 'ended' | 'first'> = {};
  let cause: unknown;
  try {
    await withinTime(remainingMs, clock, run.standstill, settle, ownSignal());
  } catch (error) {
    ignoreThrown(error);
    ended = { ended: toFailure(error, call.id), ...(run.claimEnd() ? { first: true } : {}) };
    cause = error;
  } finally {
    question.end();
  }
  const { approval } = outcome;
  await emit(
    approval === undefined
      ? { kind: 'tool-end', turn, outcome }
      : { kind: 'approval-request', turn, approval },
  );
  const value: ToolStepValue = {
    outcome,
    ...ended,
    ...(warnings.length === 0 ? {} : { warnings }),
    elapsedMs: Math.max(0, elapsedSince(clock, watch) - (run.standstill.totalMs() - stoodBefore)),
  };
  return cause === undefined ? { value } : { value, cause };

  /** Notes the outcome at once: nothing that fails afterwards takes it away. */
  async function settle(signal: AbortSignal | undefined): Promise<void> {
    const { asking } = question;
    outcome = await goThrough(signal === undefined ? { asking } : { signal, asking });
  }

  async function goThrough(options: Pick<ExecuteOptions, 'signal' | 'asking'>): Promise<RunOutcome> {
    if (decision === undefined) {
      // What was not offered when the run began is not there, whoever guesses its name.
      if (!run.offered.isOpen(call.name)) return fixedOutcome(call, 'tool_unavailable');
      return execute(options);
    }
    if (decision.kind === 'expire') return fixedOutcome(call, 'approval_expired');
    const settled = await run.inOrder(() => take(decision, options));
    return settled.outcome ?? settled.started;
  }

  /** A handler may have run before it ended the run; only the gate knows. */
  async function execute(options: ExecuteOptions): Promise<RunOutcome> {
    try {
      return toRunOutcome(await run.session.execute(call, options));
    } catch (error) {
      outcome = outcomeIn(error) ?? fixedOutcome(call, isRefusal(error) ? 'not_started' : 'interrupted');
      throw error;
    }
  }

  /** Claims a decision and starts its call; the order of claims is the order in which the gate sees the calls. */
  async function take(
    decided: Exclude<DecisionData, { kind: 'expire' }>,
    options: Pick<ExecuteOptions, 'signal' | 'asking'>,
  ): Promise<TakenDecision> {
    // Nothing would start: the decision stays unused, for whoever goes on with the same state.
    if (run.signal.aborted) return { outcome: fixedOutcome(call, 'not_started') };
    const claimed = await claimWithin(
      () => claimDecision(decided.request.id, decided.request),
      [run.signal, options.signal],
    );
    // Whether it was taken or not: nothing has started, and nothing will.
    if (claimed === undefined) return { outcome: fixedOutcome(call, 'not_started') };
    if (!claimed) {
      // Somebody else carried this decision out; what came of it is not known here.
      return { outcome: fixedOutcome(call, 'interrupted') };
    }
    if (run.offered.isChanged(call.name)) {
      // What was approved is not what would run now.
      return {
        outcome: fixedOutcome(call, decided.kind === 'decline' ? 'approval_declined' : 'approval_expired'),
      };
    }
    // Wrapped, so that the next one does not wait for this one to end.
    return { started: carryOut(decided, options) };
  }

  function carryOut(
    decided: Exclude<DecisionData, { kind: 'expire' }>,
    options: Pick<ExecuteOptions, 'signal' | 'asking'>,
  ): Promise<RunOutcome> {
    if (decided.kind === 'allow') return execute({ ...options, grant: grantFor(decided) });
    const { reason } = decided;
    return execute({
      ...options,
      decision: { decision: 'decline', ...(reason === undefined ? {} : { reason }) },
    });
  }
}

function grantFor({ request, arguments: edited }: Extract<DecisionData, { kind: 'allow' }>): ApprovalGrant {
  return createGrant(request, edited === undefined ? {} : { arguments: edited });
}

function changed(turn: number, { name }: ToolCall): RunWarning {
  return { turn, code: 'contract-changed', detail: `the contract of ${name} changed since the run began` };
}

/** The word of the gate on a call that ended the run. */
function outcomeIn(error: unknown): RunOutcome | undefined {
  const [outcome] = GateError.is(error) ? (error.outcomes ?? []) : [];
  return outcome === undefined ? undefined : toRunOutcome(outcome);
}

/** Whether a gate said at its door that it takes no such call: then nothing has begun. */
function isRefusal(error: unknown): error is GateError | PolicyError {
  return GateError.is(error) || PolicyError.is(error);
}

function toFailure(error: unknown, callId: string): FailureData {
  if (isRefusal(error)) return { code: error.code, message: error.message, callId };
  return { code: 'agent/call-failed', message: 'the call could not be carried out', callId };
}
