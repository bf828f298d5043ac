import type { ModelEvent } from '@toolgate/model';
import type { AnswerStep } from '../answer/answer-step.ts';
import { decidedEvents, type HeldCall, heldOf, isUntouched } from './held-call.ts';

/** What a turn has come to. */
export interface TurnState {
  readonly held: Map<number, HeldCall>;
  /** Whether a text went out. */
  said: boolean;
}

/**
 * A step as the client gets it, once all its calls are decided; the very same where that changes nothing.
 *
 * @param silent - Whether the turn leaves no trace of its refused calls and its end, because the model is told instead.
 */
export function releaseStep(step: AnswerStep, turn: TurnState, silent: boolean): AnswerStep {
  if (passesUntouched(step.events, turn, silent)) return step;
  const { held } = turn;
  const events: ModelEvent[] = [];
  for (const event of step.events) {
    const call = heldOf(event, held);
    if (call !== undefined) {
      const decided = decidedEvents(event, call, { silent, apart: turn.said });
      if (call.verdict?.kind === 'refuse' && decided.length > 0) turn.said = true;
      events.push(...decided);
    } else if (event.kind === 'response-end') {
      if (!silent) events.push(truthfulEnd(event, held));
    } else {
      turn.said ||= event.kind === 'text-delta';
      events.push(event);
    }
  }
  return { events };
}

/** Whether every event of a step goes out as it is; what it says counts as said then. */
function passesUntouched(events: readonly ModelEvent[], turn: TurnState, silent: boolean): boolean {
  const { held } = turn;
  let { said } = turn;
  for (const event of events) {
    const call = heldOf(event, held);
    if (call !== undefined) {
      if (!isUntouched(call)) return false;
    } else if (event.kind === 'response-end') {
      if (silent || !areUntouched(held)) return false;
    } else if (event.kind === 'text-delta') said = true;
  }
  turn.said = said;
  return true;
}

/** The end of an answer whose calls were all taken out: it does not claim calls. A cut stays a cut. */
function truthfulEnd(
  event: Extract<ModelEvent, { kind: 'response-end' }>,
  held: ReadonlyMap<number, HeldCall>,
): ModelEvent {
  if (areUntouched(held)) return event;
  if (event.finish !== 'tool-calls' || isOneReleased(held)) return { ...event };
  const { finishDetail: _detail, ...rest } = event;
  return { ...rest, finish: 'stop' };
}

function areUntouched(held: ReadonlyMap<number, HeldCall>): boolean {
  for (const call of held.values()) if (!isUntouched(call)) return false;
  return true;
}

function isOneReleased(held: ReadonlyMap<number, HeldCall>): boolean {
  for (const { verdict } of held.values()) if (verdict?.kind === 'release') return true;
  return false;
}
