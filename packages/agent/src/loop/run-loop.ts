import type { JsonValue } from '@toolgate/core';
import type { DurableRun } from '../durable/port.ts';
import type { LoopState, TurnCall } from '../state/loop-state.ts';
import { toResultItem } from '../state/result-item.ts';
import type { RunOutcome } from '../state/run-outcome.ts';
import type { StopReason } from '../stop-reason.ts';
import { addUsage } from './add-usage.ts';
import type { DecisionData, FailureData, LoopRules, ModelStepInput, ModelStepValue } from './loop-rules.ts';
import { countProgress } from './progress.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { stopAfterAnswer, stopBeforeTurn } from './stops.ts';
import { fixedOutcome } from './unsettled-outcome.ts';
import { applyDecisions, pendingApprovals, startCalls, type WorkedTurn } from './work-turn.ts';

/** How a loop ended, as plain JSON. */
export interface LoopEnd {
  readonly stopReason: StopReason;
  readonly state: LoopState;
  readonly text: string;
  readonly failure?: FailureData;
}

/**
 * The run loop. Deterministic: it decides only on its arguments and on what comes back through `run`, so that a replay
 * takes the same way. Settled calls go into the history as soon as the whole turn is settled, in call order.
 */
export async function runLoop(
  run: DurableRun,
  initial: LoopState,
  decisions: readonly DecisionData[],
  rules: LoopRules,
): Promise<LoopEnd> {
  // One growing list for the whole run: a copy per turn would cost more with every turn.
  const items = [...initial.items];
  const used = new Set(items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : [])));
  const outcomes = [...initial.outcomes];
  let state: LoopState = { ...initial, items, outcomes };
  let text = '';
  const startedAt = await run.now('start');
  const before = initial.workedMs;

  const end = async (stopReason: StopReason, failure?: FailureData): Promise<LoopEnd> => {
    const workedMs = before + Math.max(0, (await run.now('end')) - startedAt);
    return { stopReason, state: { ...state, workedMs }, text, ...(failure === undefined ? {} : { failure }) };
  };

  if (state.open.length > 0) {
    const known = new Map(decisions.map((decision) => [decision.request.id, decision]));
    const finished = await settle(await applyDecisions(run, state.turns, state.open, known, rules));
    if (finished !== undefined) return finished;
  }

  for (;;) {
    const workedMs = before + Math.max(0, (await run.now(`turn:${state.turns + 1}`)) - startedAt);
    const stop = stopBeforeTurn({ ...state, workedMs }, rules);
    const closing = stop === 'turn_limit' && rules.closingTurn;
    if (stop !== undefined && !closing) return end(stop);

    const turn = state.turns + 1;
    const answered = await askModel(run, { turn, items, closing, remainingMs: remaining(rules, workedMs) });
    const answer = readAnswer(answered.response, turn, used);
    items.push(...answer.items);
    text = answer.text === '' ? text : answer.text;
    state = {
      ...state,
      turns: turn,
      usage: addUsage(state.usage, answered.response.usage),
      open: answer.calls.map((call) => ({ call, outcome: null })),
    };
    const refused = refusedCalls(answer, closing, state, rules);
    state = { ...state, calls: countCalls(state.calls, state.open, refused) };
    const finished = await settle(
      await startCalls(run, turn, state.open, refused, rules),
      answer,
      answered.failure,
    );
    if (finished !== undefined) return finished;
    if (closing) return end('turn_limit');
  }

  /** Takes a worked turn over; the end of the run, if this is it. */
  async function settle(
    worked: WorkedTurn,
    answer?: Answer,
    failure?: FailureData,
  ): Promise<LoopEnd | undefined> {
    state = { ...state, open: worked.open };
    if (worked.ended !== undefined) {
      // Nothing that waits will run any more; the history gets its one result for each call.
      state = { ...state, open: state.open.map(refusePending) };
      closeTurn();
      return end('permanent_error', worked.ended);
    }
    if (pendingApprovals(state.open).length > 0)
      return rules.waitForDecisions ? waitForDecisions() : end('suspended');
    const open = state.open;
    closeTurn();
    const stop = stopAfterAnswer(answer, open, failure, rules);
    return stop === undefined ? undefined : end(stop, failure);
  }

  /** Moves a settled turn into history and outcomes. */
  function closeTurn(): void {
    const settled = state.open.flatMap(({ call, outcome }) => (outcome === null ? [] : [{ call, outcome }]));
    if (settled.length === 0) return;
    for (const { outcome } of settled) {
      items.push(toResultItem(outcome));
      outcomes.push(outcome);
    }
    state = { ...state, ...countProgress(state, settled), open: [] };
  }

  /** Waits until every pending approval is decided or over, and goes on from there. */
  async function waitForDecisions(): Promise<LoopEnd | undefined> {
    const decided = new Map<string, DecisionData>();
    for (const request of pendingApprovals(state.open)) {
      const deadline = request.expiresAt === 'none' ? null : request.expiresAt;
      const outcome = await run.wait(`approval:${request.id}`, {
        deadline,
        note: request as unknown as JsonValue,
      });
      const decision =
        outcome.kind === 'expired'
          ? { kind: 'expire' as const, request }
          : (outcome.value as unknown as DecisionData);
      decided.set(request.id, { ...decision, request });
    }
    return settle(await applyDecisions(run, state.turns, state.open, decided, rules));
  }
}

async function askModel(run: DurableRun, input: ModelStepInput): Promise<ModelStepValue> {
  const step = await run.call({
    name: `model:${input.turn}`,
    op: 'model',
    input: input as unknown as JsonValue,
    effect: 'repeatable',
    timeoutMs: 'none',
  });
  if (step.kind === 'ok') return step.value as unknown as ModelStepValue;
  return {
    response: { id: null, model: null, items: [], finish: 'error', usage: null },
    failure: { code: 'agent/model-step-failed', message: 'the model could not be asked' },
  };
}

/** Calls that are refused before they reach the gate. */
function refusedCalls(
  answer: Answer,
  closing: boolean,
  state: LoopState,
  rules: LoopRules,
): ReadonlyMap<string, RunOutcome> {
  const refused = new Map<string, RunOutcome>();
  const counts = new Map(Object.entries(state.calls));
  for (const call of answer.calls) {
    const count = (counts.get(call.name) ?? 0) + 1;
    if (answer.repeated.has(call.id)) refused.set(call.id, fixedOutcome(call, 'call_id_duplicate'));
    else if (closing) refused.set(call.id, fixedOutcome(call, 'tool_unavailable'));
    else if (count > (rules.maxCallsPerTool.get(call.name) ?? Number.POSITIVE_INFINITY)) {
      refused.set(call.id, fixedOutcome(call, 'call_limit'));
    } else counts.set(call.name, count);
  }
  return refused;
}

function countCalls(
  calls: LoopState['calls'],
  open: readonly TurnCall[],
  refused: ReadonlyMap<string, RunOutcome>,
): LoopState['calls'] {
  const counted = new Map(Object.entries(calls));
  for (const { call } of open) {
    if (!refused.has(call.id)) counted.set(call.name, (counted.get(call.name) ?? 0) + 1);
  }
  return Object.fromEntries(counted);
}

function refusePending(entry: TurnCall): TurnCall {
  return entry.outcome === null || entry.outcome.approval !== undefined
    ? { call: entry.call, outcome: fixedOutcome(entry.call, 'not_started') }
    : entry;
}

function remaining({ maxDurationMs }: LoopRules, workedMs: number): number | null {
  return maxDurationMs === Number.POSITIVE_INFINITY ? null : Math.max(0, maxDurationMs - workedMs);
}
