import { CALL_UNREAD, type ModelEvent, type UnreadCall } from '@toolgate/model';
import type { AnswerStep } from '../answer/answer-step.ts';
import type { CallVerdict, ProposedCall } from './call-verdict.ts';
import { beginCall, decidedEvents, type HeldCall, holdBegun, indexOf, isUntouched } from './held-call.ts';
import type { CallJudge } from './judge-call.ts';

/** A call that the model will be told about instead of the client. */
export interface RefusedCall {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

/** How a turn came to its end. */
export type TurnEnd =
  /** Its terminal event went out. */
  | { readonly kind: 'ended' }
  /** All its calls were refused and nothing of its end went out: the model is to be told. */
  | { readonly kind: 'feedback'; readonly refused: readonly RefusedCall[] };

/** What a firewall of one turn is made of. */
export interface TurnFirewallOptions {
  readonly judge: CallJudge;
  /** Takes what may go to the client, in order. */
  readonly emit: (step: AnswerStep) => void;
  /** Whether the model may be told of refusals in this turn. */
  readonly feedback: boolean;
  /** Whether calls that nobody could look at go on, because the route is written to be a mere passage. */
  readonly passage: boolean;
  /** Learns of calls that nobody could look at, over and over while their pieces come, and whether they went on. */
  readonly onUnread: (calls: readonly UnreadCall[], passed: boolean) => void;
  /** Somebody has to be asked before the answer goes on. */
  readonly onWait: () => void;
  readonly onEnd: (end: TurnEnd) => void;
}

/** Holds the calls of one turn until they are whole and decided; everything else flows on, in its order. */
export interface TurnFirewall {
  push(step: AnswerStep): void;
  /** The client is gone: nothing more is emitted. */
  stop(): void;
}

/** Makes the firewall of one turn. */
export function createTurnFirewall(options: TurnFirewallOptions): TurnFirewall {
  const { judge, emit, feedback, onEnd, onUnread, onWait, passage } = options;
  const held = new Map<number, HeldCall>();
  let queue: AnswerStep[] = [];
  /** The lowest index since the queue was empty. */
  let firstQueued = Number.POSITIVE_INFINITY;
  /** Bytes that say no event yet: they may be the beginning of a call. */
  let unread: Uint8Array[] = [];
  let said = false;
  let terminal: ModelEvent | undefined;
  let over = false;

  const decide = (call: HeldCall, proposed: ProposedCall): void => {
    call.judged = true;
    const answer = judge(proposed);
    if (!(answer instanceof Promise)) {
      call.verdict = answer;
      return;
    }
    onWait();
    const settle = (verdict: CallVerdict): void => {
      call.verdict = verdict;
      drain();
    };
    answer.then(settle, () => settle({ kind: 'refuse', reason: 'not_started', text: '' }));
  };

  const look = (event: ModelEvent): void => {
    const begun = beginCall(event);
    if (begun !== undefined) {
      held.set(begun.held.index, begun.held);
      if (begun.whole !== undefined) decide(begun.held, begun.whole);
    } else if (event.kind === 'foreign') {
      // What looked like the beginning of a call was none.
      held.delete(event.index);
    } else if (event.kind === 'call-end') {
      const call = held.get(event.index);
      const { arguments: text, callId, name: bareName } = event;
      if (call === undefined) return;
      const proposed = { callId, name: call.name, arguments: text, complete: true, foreign: false };
      decide(call, call.name === bareName ? proposed : { ...proposed, bareName });
    } else if (event.kind === 'response-end') {
      terminal = event;
      for (const call of held.values()) {
        const { callId, name } = call;
        if (!call.judged) decide(call, { callId, name, arguments: '', complete: false, foreign: false });
      }
    } else if (event.kind === 'response-error') {
      terminal = event;
    }
  };

  /** Text that belongs before everything that waits: on some wires it comes between the pieces of a call. */
  const overtakes = ({ events }: AnswerStep): boolean =>
    events.every((event) => {
      const index = indexOf(event);
      return index !== undefined && index < firstQueued && !held.has(index);
    });

  const isFeedback = (): boolean => {
    if (!feedback || terminal?.kind !== 'response-end' || held.size === 0) return false;
    if (terminal.finish !== 'tool-calls' && terminal.finish !== 'stop') return false;
    return [...held.values()].every(({ callId, verdict }) => verdict?.kind === 'refuse' && callId !== '');
  };

  const isBlocked = ({ events }: AnswerStep): boolean => {
    for (const event of events) {
      const index = indexOf(event);
      const call = index === undefined ? undefined : held.get(index);
      if (call !== undefined) {
        if (call.verdict === undefined) return true;
        // Whether a text stands for it or the model is told is known at the end of the turn.
        if (feedback && call.verdict.kind === 'refuse' && terminal === undefined) return true;
      }
      if (event.kind === 'response-end' && [...held.values()].some(({ verdict }) => verdict === undefined)) {
        return true;
      }
    }
    return false;
  };

  const release = (step: AnswerStep, silent: boolean): void => {
    if (held.size === 0) {
      // Most steps of most answers: there is no call yet that could change anything.
      said ||= step.events.some(isText);
      emit(step);
      return;
    }
    let touched = false;
    const events = step.events.flatMap((event): readonly ModelEvent[] => {
      const index = indexOf(event);
      const call = index === undefined ? undefined : held.get(index);
      if (call !== undefined) {
        touched ||= !isUntouched(call);
        const decided = decidedEvents(event, call, { silent, apart: said });
        if (call.verdict?.kind === 'refuse' && decided.length > 0) said = true;
        return decided;
      }
      said ||= isText(event);
      if (event.kind !== 'response-end') return [event];
      if (silent) {
        touched = true;
        return [];
      }
      const end = truthfulEnd(event, held);
      touched ||= end !== event;
      return [end];
    });
    emit(touched ? { events } : step);
  };

  /** A broken answer says so at once, after what is no call; calls that were held never go out. */
  const breakOff = (): void => {
    const events = queue.flatMap((step) =>
      step.events.filter((event) => {
        const index = indexOf(event);
        return index === undefined || !held.has(index);
      }),
    );
    emit({ events });
  };

  function drain(): void {
    if (over) return;
    const silent = isFeedback();
    if (terminal?.kind === 'response-error') breakOff();
    else {
      while (queue.length > 0) {
        const next = queue[0];
        if (next === undefined || isBlocked(next)) return;
        queue.shift();
        release(next, silent);
        if (over) return;
      }
      firstQueued = Number.POSITIVE_INFINITY;
      if (terminal === undefined) return;
    }
    over = true;
    queue = [];
    onEnd(silent ? { kind: 'feedback', refused: refusedOf(held) } : { kind: 'ended' });
  }

  return {
    push(step: AnswerStep) {
      if (over) return;
      if (step.events.length === 0) {
        unread.push(...(step.raw ?? []));
        return;
      }
      const hidden = unreadOf(step);
      if (hidden !== undefined) onUnread(hidden, passage && step.raw !== undefined);
      const whole = withBytes(step, unread, passage || hidden === undefined);
      unread = [];
      // Only bytes that may be passed on can give a call away before it is told.
      if (step.raw !== undefined) for (const event of step.events) holdBegun(event, held);
      for (const event of step.events) look(event);
      if (queue.length > 0 && terminal === undefined && overtakes(whole)) {
        release(whole, false);
        return;
      }
      queue.push(whole);
      for (const event of step.events) firstQueued = Math.min(firstQueued, indexOf(event) ?? firstQueued);
      drain();
    },
    stop() {
      over = true;
      queue = [];
    },
  };
}

function isText({ kind }: ModelEvent): boolean {
  return kind === 'text-delta';
}

/** The end of an answer whose calls were all taken out: it does not claim calls. A cut stays a cut. */
function truthfulEnd(
  event: Extract<ModelEvent, { kind: 'response-end' }>,
  held: ReadonlyMap<number, HeldCall>,
): ModelEvent {
  const calls = [...held.values()];
  if (calls.every(isUntouched)) return event;
  if (event.finish !== 'tool-calls' || calls.some(({ verdict }) => verdict?.kind === 'release'))
    return { ...event };
  const { finishDetail: _detail, ...rest } = event;
  return { ...rest, finish: 'stop' };
}

function refusedOf(held: ReadonlyMap<number, HeldCall>): readonly RefusedCall[] {
  return [...held.values()].flatMap(({ callId, name, verdict }) =>
    verdict?.kind === 'refuse' ? [{ callId, name, text: verdict.text }] : [],
  );
}

/** A step with the bytes before it, or with none where they hold calls that nobody can judge. */
function withBytes(step: AnswerStep, unread: readonly Uint8Array[], passes: boolean): AnswerStep {
  const { events, raw } = step;
  if (!passes && raw !== undefined) return { events };
  return unread.length === 0 ? step : { ...step, raw: [...unread, ...(raw ?? [])] };
}

/** The calls of a step that no event tells; `undefined` where there are none. */
function unreadOf({ events }: AnswerStep): readonly UnreadCall[] | undefined {
  let calls: readonly UnreadCall[] | undefined;
  for (const event of events) {
    if (event.kind !== 'warning' || event.code !== CALL_UNREAD) continue;
    calls = [...(calls ?? []), ...(event.calls ?? [])];
  }
  return calls;
}
