import type { ApprovalRequest, JsonValue, ToolCall } from '@toolgate/core';
import type { DurableRun, Step, StepOutcome } from '../durable/port.ts';
import type { TurnCall } from '../state/loop-state.ts';
import type { RunOutcome } from '../state/run-outcome.ts';
import type { DecisionData, FailureData, LoopRules, ToolStepInput, ToolStepValue } from './loop-rules.ts';
import { fixedOutcome } from './unsettled-outcome.ts';

/** The calls of a turn after they were worked on. */
export interface WorkedTurn {
  readonly open: readonly TurnCall[];
  /** The first thing that ended the run. */
  readonly ended?: FailureData;
}

/**
 * Works on every call that has no outcome and needs no decision, all at the same time; order and overlap are the
 * gate's affair. Every call comes back with an outcome: a result that finished is kept whatever happened beside it.
 */
export async function startCalls(
  run: DurableRun,
  turn: number,
  open: readonly TurnCall[],
  refused: ReadonlyMap<string, RunOutcome>,
  rules: LoopRules,
): Promise<WorkedTurn> {
  const work = open.flatMap(({ call, outcome }, index) =>
    outcome === null && !refused.has(call.id)
      ? [{ index, step: toolStep(turn, index, { turn, call }, rules, '') }]
      : [],
  );
  const values = await runSteps(
    run,
    work.map(({ step }) => step),
  );
  return merge(
    open.map(({ call, outcome }) => ({ call, outcome: outcome ?? refused.get(call.id) ?? null })),
    new Map(work.map(({ index }, at) => [index, values[at]])),
  );
}

/** Carries out what was decided about suspended calls, all at the same time. */
export async function applyDecisions(
  run: DurableRun,
  turn: number,
  open: readonly TurnCall[],
  decisions: ReadonlyMap<string, DecisionData>,
  rules: LoopRules,
): Promise<WorkedTurn> {
  const work = open.flatMap(({ call, outcome }, index) => {
    const decision = outcome?.approval === undefined ? undefined : decisions.get(outcome.approval.id);
    if (decision === undefined) return [];
    return [
      { index, step: toolStep(turn, index, { turn, call, decision }, rules, `:${decision.request.id}`) },
    ];
  });
  const values = await runSteps(
    run,
    work.map(({ step }) => step),
  );
  return merge(open, new Map(work.map(({ index }, at) => [index, values[at]])));
}

/** What still waits for a decision, in call order. */
export function pendingApprovals(open: readonly TurnCall[]): readonly ApprovalRequest[] {
  return open.flatMap(({ outcome }) => (outcome?.approval === undefined ? [] : [outcome.approval]));
}

function toolStep(turn: number, index: number, input: ToolStepInput, rules: LoopRules, suffix: string): Step {
  return {
    name: `tool:${turn}:${index}${suffix}`,
    op: 'tool',
    input: input as unknown as JsonValue,
    effect: rules.effectOf(input.call.name),
    // The gate bounds every call itself.
    timeoutMs: 'none',
  };
}

async function runSteps(run: DurableRun, steps: readonly Step[]): Promise<readonly StepOutcome[]> {
  return steps.length === 0 ? [] : run.all(steps);
}

function merge(open: readonly TurnCall[], worked: ReadonlyMap<number, StepOutcome | undefined>): WorkedTurn {
  let ended: FailureData | undefined;
  const merged = open.map(({ call, outcome }, index): TurnCall => {
    const step = worked.get(index);
    if (step === undefined) return { call, outcome };
    const value = readStep(call, step);
    // A session that is over because of a sibling is not the cause of anything.
    if (value.ended !== undefined && (ended === undefined || ended.code === 'gate/session-closed'))
      ended = value.ended;
    return { call, outcome: value.outcome };
  });
  return ended === undefined ? { open: merged } : { open: merged, ended };
}

function readStep(call: ToolCall, step: StepOutcome): ToolStepValue {
  if (step.kind === 'ok') return step.value as unknown as ToolStepValue;
  // The handler of the operation does not throw; if it did, or nobody knows, the call may have had an effect.
  return { outcome: fixedOutcome(call, 'interrupted') };
}
