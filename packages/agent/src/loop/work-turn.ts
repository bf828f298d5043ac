import { type ApprovalRequest, type JsonValue, unknownText } from '@toolgate/core';
import type { DurableRun, Step, StepOutcome } from '../durable/port.ts';
import type { Ledger } from '../state/ledger.ts';
import type { TurnCall } from '../state/loop-state.ts';
import type { RunOutcome } from '../state/run-outcome.ts';
import type { DecisionData, FailureData, LoopRules, ToolStepInput, ToolStepValue } from './loop-rules.ts';
import { fixedOutcome } from './unsettled-outcome.ts';

/** What working on the open turn came to; its calls are in the ledger. */
export interface WorkedTurn {
  /** The first thing that ended the run. */
  readonly ended?: FailureData;
  readonly cancelled: boolean;
}

/**
 * Works on every call that has no outcome and needs no decision, all at the same time; order and overlap are the
 * gate's affair. Every call comes back with an outcome: a result that finished is kept whatever happened beside it.
 */
export async function startCalls(
  run: DurableRun,
  ledger: Ledger,
  refused: ReadonlyMap<string, RunOutcome>,
  rules: LoopRules,
): Promise<WorkedTurn> {
  const { turns: turn } = ledger;
  const opening = openingOf(ledger);
  const remainingMs = remainingOf(ledger, rules);
  const open = ledger.open.map(
    ({ call, outcome }): TurnCall => ({ call, outcome: outcome ?? refused.get(call.id) ?? null }),
  );
  const work = open.flatMap(({ call, outcome }, index) =>
    outcome === null
      ? [{ index, step: toolStep(index, { turn, call, ...opening, remainingMs }, rules, '') }]
      : [],
  );
  return workOn(run, ledger, open, work, rules);
}

/** Carries out what was decided about suspended calls, all at the same time. */
export async function applyDecisions(
  run: DurableRun,
  ledger: Ledger,
  decisions: readonly DecisionData[],
  rules: LoopRules,
): Promise<WorkedTurn> {
  const { turns: turn, open } = ledger;
  const opening = openingOf(ledger);
  const remainingMs = remainingOf(ledger, rules);
  const known = new Map(decisions.map((decision) => [decision.request.id, decision]));
  const work = open.flatMap(({ call, outcome }, index) => {
    const decision = outcome?.approval === undefined ? undefined : known.get(outcome.approval.id);
    if (decision === undefined) return [];
    const step = toolStep(
      index,
      { turn, call, ...opening, decision, remainingMs },
      rules,
      `:${decision.request.id}`,
    );
    return [{ index, step }];
  });
  ledger.addDecided(known.keys());
  const worked = await workOn(run, ledger, open, work, rules);
  for (const { index } of work) {
    const request = open[index]?.outcome?.approval;
    if (request !== undefined && ledger.open[index]?.outcome?.reason === 'approval_declined')
      ledger.addDeclined(request);
  }
  return worked;
}

/** What a step has to know of the run so far, should it be the first one in its process. */
export function openingOf({
  advertised,
  declinedCalls,
}: Pick<Ledger, 'advertised' | 'declinedCalls'>): Pick<ToolStepInput, 'advertised' | 'declinedCalls'> {
  // A copy: the list grows on, and the step may be kept.
  return declinedCalls.length === 0 ? { advertised } : { advertised, declinedCalls: [...declinedCalls] };
}

/** Milliseconds that are left of a run's time; `null` where it has no limit. */
export function remainingOf(
  { workedMs }: Pick<Ledger, 'workedMs'>,
  { maxDurationMs }: LoopRules,
): number | null {
  return maxDurationMs === null ? null : Math.max(0, maxDurationMs - workedMs);
}

/** What still waits for a decision, in call order. */
export function pendingApprovals(open: readonly TurnCall[]): readonly ApprovalRequest[] {
  return open.flatMap(({ outcome }) => (outcome?.approval === undefined ? [] : [outcome.approval]));
}

function toolStep(index: number, input: ToolStepInput, rules: LoopRules, suffix: string): Step {
  return {
    name: `tool:${input.turn}:${index}${suffix}`,
    op: 'tool',
    input: input as unknown as JsonValue,
    effect: rules.repeatable.includes(input.call.name) ? 'repeatable' : 'once',
    // The gate bounds every call itself.
    timeoutMs: 'none',
  };
}

async function workOn(
  run: DurableRun,
  ledger: Ledger,
  open: readonly TurnCall[],
  work: readonly { readonly index: number; readonly step: Step }[],
  rules: LoopRules,
): Promise<WorkedTurn> {
  const settled = work.length === 0 ? [] : await run.all(work.map(({ step }) => step));
  const next = [...open];
  let ended: ToolStepValue | undefined;
  let cancelled = false;
  let elapsedMs = 0;
  work.forEach(({ index }, at) => {
    const entry = open[index];
    const step = settled[at];
    if (entry === undefined || step === undefined) return;
    const value = readStep(entry, step, checkFor(entry, ledger, rules));
    next[index] = { call: entry.call, outcome: value.outcome };
    if (value.ended !== undefined && (ended === undefined || value.first === true)) ended = value;
    cancelled ||= value.cancelled === true;
    // They overlapped: the longest one is how long the turn took.
    elapsedMs = Math.max(elapsedMs, value.elapsedMs);
    ledger.addWork(0, value.warnings ?? []);
  });
  ledger.addWork(elapsedMs, []);
  ledger.setOpen(next);
  return ended?.ended === undefined ? { cancelled } : { cancelled, ended: ended.ended };
}

/** The tool that shows whether a call took effect, where it has one that the run offers. */
function checkFor(
  { call }: TurnCall,
  { advertised }: Pick<Ledger, 'advertised'>,
  { checkWith = {} }: LoopRules,
): string | undefined {
  const name = Object.hasOwn(checkWith, call.name) ? checkWith[call.name] : undefined;
  return name !== undefined && Object.hasOwn(advertised, name) ? name : undefined;
}

function readStep({ call }: TurnCall, step: StepOutcome, checkWith: string | undefined): ToolStepValue {
  if (step.kind === 'ok') return step.value as unknown as ToolStepValue;
  // The handler of the operation does not throw; if it did, or nobody knows, the call may have had an effect.
  const text = unknownText('interrupted', checkWith);
  return { outcome: fixedOutcome(call, 'interrupted', text), elapsedMs: 0 };
}
