import type { JsonValue } from '@toolgate/core';
import type { AgentEvent } from '../agent-event.ts';
import type { DurableRun } from '../durable/port.ts';
import { createLedger } from '../state/ledger.ts';
import type { LoopState, TurnCall } from '../state/loop-state.ts';
import type { StopReason } from '../stop-reason.ts';
import { awaitDecisions } from './await-decisions.ts';
import type { LoopEnd } from './loop-end.ts';
import type { DecisionData, FailureData, LoopRules, ModelStepInput, ModelStepValue } from './loop-rules.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { refuseCalls } from './refuse-calls.ts';
import { failureStop, stopAfterTurn, stopBeforeTurn } from './stops.ts';
import { fixedOutcome } from './unsettled-outcome.ts';
import {
  applyDecisions,
  openingOf,
  pendingApprovals,
  remainingOf,
  startCalls,
  type WorkedTurn,
} from './work-turn.ts';

/** What a loop is told about its turns. */
interface TurnContext {
  readonly answer?: Answer;
  readonly failure?: FailureData;
  readonly closing?: boolean;
}

/**
 * The run loop. Deterministic: it decides only on its arguments and on what comes back through `run`, so that a replay
 * takes the same way. The calls of a turn go into the history when all of them are settled, in call order.
 *
 * @param waits - Whether to wait for decisions; otherwise the loop returns, suspended.
 */
export async function runLoop(
  run: DurableRun,
  initial: LoopState,
  decisions: readonly DecisionData[],
  rules: LoopRules,
  { waits }: { readonly waits: boolean },
): Promise<LoopEnd> {
  const ledger = createLedger(initial, rules);
  const end = (stopReason: StopReason, failure?: FailureData): LoopEnd => ({
    stopReason,
    state: ledger.state(),
    // Whoever cancels a run wants its end: nothing went wrong, wherever the run was just then.
    ...(failure === undefined || stopReason === 'cancelled' ? {} : { failure }),
  });

  if (ledger.open.length > 0) {
    const finished = await settle(await applyDecisions(run, ledger, decisions, rules), {});
    if (finished !== undefined) return finished;
  }
  for (;;) {
    const stop = stopBeforeTurn(ledger, rules);
    const closing = stop === 'turn_limit' && rules.closingTurn;
    if (stop !== undefined && !closing) return end(stop);

    const asked = await askModel(run, {
      turn: ledger.turns + 1,
      items: ledger.items,
      ...openingOf(ledger),
      closing,
      ...(rules.forced === true && !closing && ledger.ran ? { released: true } : {}),
      remainingMs: remainingOf(ledger, rules),
    });
    ledger.addWork(asked.elapsedMs, asked.warnings);
    const { failure } = asked;
    if (failure !== undefined && !asked.asked) return end(failureStop(failure), failure);

    const answer = readAnswer(asked, ledger.turns + 1, ledger.usedIds);
    ledger.addAnswer(answer, asked);
    const refused = refuseCalls(answer, closing, ledger, rules);
    for (const outcome of refused.values()) {
      const event: AgentEvent = { kind: 'tool-end', turn: ledger.turns, outcome };
      await run.emit(event as unknown as JsonValue);
    }
    const turn = { answer, closing, ...(failure === undefined ? {} : { failure }) };
    const finished = await settle(await startCalls(run, ledger, refused, rules), turn);
    if (finished !== undefined) return finished;
    if (closing) return end('turn_limit');
  }

  /** Takes a worked turn over; the end of the run, if this is it. */
  async function settle({ ended, cancelled }: WorkedTurn, turn: TurnContext): Promise<LoopEnd | undefined> {
    if (ended !== undefined || cancelled) {
      // Nothing that waits will run any more; the history gets its one result for each call.
      ledger.setOpen(ledger.open.map(refusePending));
      ledger.closeTurn();
      return ended === undefined ? end('cancelled') : end('permanent_error', ended);
    }
    const pending = pendingApprovals(ledger.open);
    if (pending.length > 0) {
      if (!waits) return end('suspended');
      return settle(await applyDecisions(run, ledger, await awaitDecisions(run, pending), rules), turn);
    }
    const { open } = ledger;
    ledger.closeTurn();
    const stop = stopAfterTurn(turn.answer, open, turn.failure, rules);
    if (stop === undefined) return undefined;
    const summed = stop === 'answer' || stop === 'no_answer';
    return end(summed && turn.closing === true ? 'turn_limit' : stop, turn.failure);
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
    asked: false,
    warnings: [],
    elapsedMs: 0,
  };
}

/** A call that will not run any more, because its run has ended; one that has an outcome keeps it. */
export function refusePending(entry: TurnCall): TurnCall {
  return entry.outcome === null || entry.outcome.approval !== undefined
    ? { call: entry.call, outcome: fixedOutcome(entry.call, 'not_started') }
    : entry;
}
