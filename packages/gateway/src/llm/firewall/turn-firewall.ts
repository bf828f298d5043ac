import { CALL_UNREAD, type ModelEvent, type UnreadCall } from '@toolgate/model';
import type { AnswerStep } from '../answer/answer-step.ts';
import type { CallAnswer, CallVerdict, ProposedCall } from './call-verdict.ts';
import { beginCall, type HeldCall, heldOf, holdBegun, indexOf, noteAnew } from './held-call.ts';
import { releaseStep, type TurnState } from './release-step.ts';
import { StepQueue } from './step-queue.ts';

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
  judge(call: ProposedCall): CallAnswer;
  /** Takes what may go to the client, in order. */
  emit(step: AnswerStep): void;
  /** Whether the model may be told of refusals in this turn. */
  readonly feedback: boolean;
  /** Whether calls that nobody could look at go on, because the route is written to be a mere passage. */
  readonly passage: boolean;
  /** Learns of calls that nobody could look at, over and over while their pieces come, and whether they went on. */
  onUnread(calls: readonly UnreadCall[], passed: boolean): void;
  /** Somebody has to be asked before the answer goes on. */
  onWait(): void;
  onEnd(end: TurnEnd): void;
}

/** Holds the calls of one turn until they are whole and decided; everything else flows on, in its order. */
export interface TurnFirewall {
  push(step: AnswerStep): void;
  /** Whether more waits for a decision than a whole answer may have. */
  isFull(): boolean;
  /** The client is gone: nothing more is emitted. */
  stop(): void;
}

/** Makes the firewall of one turn. */
export function createTurnFirewall(options: TurnFirewallOptions): TurnFirewall {
  return new Firewall(options);
}

/** What may wait: an answer of the most that is decoded, in small pieces. */
const MOST_BYTES = 128 * 1024 * 1024;

class Firewall implements TurnFirewall, TurnState {
  readonly #options: TurnFirewallOptions;
  readonly held: Map<number, HeldCall> = new Map();
  said = false;
  readonly #queue = new StepQueue();
  /** The lowest index since the queue was empty. */
  #firstQueued = Number.POSITIVE_INFINITY;
  /** Bytes that say no event yet: they may be the beginning of a call. */
  #unread: Uint8Array[] | undefined = undefined;
  #terminal: ModelEvent | undefined = undefined;
  #over = false;

  constructor(options: TurnFirewallOptions) {
    this.#options = options;
  }

  push(step: AnswerStep): void {
    if (this.#over) return;
    const { passage } = this.#options;
    const { held } = this;
    const { events, raw } = step;
    if (events.length === 0) {
      if (raw === undefined) return;
      if (step.isAside === true && this.#unread === undefined && this.#queue.isEmpty) {
        if (this.#terminal === undefined) this.#options.emit(step);
        return;
      }
      this.#unread ??= [];
      this.#unread.push(...raw);
      return;
    }
    const hidden = unreadOf(step);
    if (hidden !== undefined) this.#options.onUnread(hidden, passage && raw !== undefined);
    const passes = passage || hidden === undefined;
    // Only bytes that may be passed on can give a call away before it is told.
    if (raw !== undefined) for (const event of events) holdBegun(event, held);
    for (const event of events) this.#look(event);
    if (raw === undefined && held.size > 0) for (const event of events) noteAnew(event, held);
    const queue = this.#queue;
    if (!queue.isEmpty && this.#terminal === undefined && overtakes(step, held, this.#firstQueued)) {
      // The bytes before it may be of a call that waits, and stay with what comes behind that.
      this.#options.emit(releaseStep(withBytes(step, NO_BYTES, passes), this, false));
      return;
    }
    const whole = withBytes(step, this.#unread ?? NO_BYTES, passes);
    this.#unread = undefined;
    // What mostly comes waits for nothing.
    if (queue.isEmpty && this.#terminal === undefined && !this.#isBlocked(whole)) {
      this.#options.emit(releaseStep(whole, this, false));
      return;
    }
    queue.push(whole);
    this.#drain();
    const waits = queue.last;
    if (waits === undefined) return;
    for (const event of waits.events)
      this.#firstQueued = Math.min(this.#firstQueued, indexOf(event) ?? this.#firstQueued);
  }

  isFull(): boolean {
    return this.#queue.bytes > MOST_BYTES;
  }

  stop(): void {
    this.#over = true;
    this.#queue.clear();
  }

  #decide(call: HeldCall, proposed: ProposedCall): void {
    call.judged = true;
    const answer = this.#options.judge(proposed);
    if (!(answer instanceof Promise)) {
      call.verdict = answer;
      return;
    }
    this.#options.onWait();
    const settle = (verdict: CallVerdict): void => {
      call.verdict = verdict;
      this.#drain();
    };
    answer.then(settle, () => settle({ kind: 'refuse', reason: 'not_started', text: '' }));
  }

  #look(event: ModelEvent): void {
    const { held } = this;
    if (event.kind === 'call-start' || event.kind === 'foreign') {
      const begun = beginCall(event);
      // What looked like the beginning of a call was none.
      if (begun === undefined) held.delete(event.index);
      else {
        begun.held.anew = held.get(event.index)?.anew === true;
        held.set(event.index, begun.held);
        if (begun.whole !== undefined) this.#decide(begun.held, begun.whole);
      }
    } else if (event.kind === 'call-end') {
      const call = held.get(event.index);
      if (call === undefined) return;
      const { arguments: text, callId } = event;
      this.#decide(call, { callId, name: call.name, arguments: text, complete: true, foreign: false });
    } else if (event.kind === 'response-end') {
      this.#terminal = event;
      for (const call of held.values()) {
        const { callId, name } = call;
        if (!call.judged)
          this.#decide(call, { callId, name, arguments: '', complete: false, foreign: false });
      }
    } else if (event.kind === 'response-error') this.#terminal = event;
  }

  /** Whether something in a step cannot go out yet. */
  #isBlocked({ events }: AnswerStep): boolean {
    const { held } = this;
    if (held.size === 0) return false;
    for (const event of events) {
      const call = heldOf(event, held);
      if (call !== undefined) {
        if (call.verdict === undefined) return true;
        // Whether a text stands for it or the model is told is known at the end of the turn.
        if (this.#options.feedback && call.verdict.kind === 'refuse' && this.#terminal === undefined)
          return true;
      }
      if (event.kind === 'response-end' && isOneUndecided(held)) return true;
    }
    return false;
  }

  #drain(): void {
    if (this.#over) return;
    const { held } = this;
    const queue = this.#queue;
    const options = this.#options;
    const terminal = this.#terminal;
    if (terminal?.kind === 'response-error') {
      options.emit(brokenOff(queue.rest(), held));
      this.#conclude(false);
      return;
    }
    const silent = options.feedback && isFeedback(terminal, held);
    for (let next = queue.first; next !== undefined; next = queue.first) {
      if (this.#isBlocked(next)) {
        const parted = partedAtCall(next, held);
        if (parted === undefined) return;
        queue.replaceFirst(parted.rest);
        options.emit(releaseStep(parted.before, this, false));
        return;
      }
      queue.shift();
      options.emit(releaseStep(next, this, silent));
      if (this.#over) return;
    }
    this.#firstQueued = Number.POSITIVE_INFINITY;
    if (terminal !== undefined) this.#conclude(silent);
  }

  #conclude(silent: boolean): void {
    this.#over = true;
    this.#queue.clear();
    const end: TurnEnd = silent ? { kind: 'feedback', refused: refusedOf(this.held) } : { kind: 'ended' };
    this.#options.onEnd(end);
  }
}

/**
 * Text that belongs before everything that waits: on some wires it comes between the pieces of a call. What ends a text
 * waits where it has bytes, since these may say the end of the answer, too.
 */
function overtakes(
  { events, raw }: AnswerStep,
  held: ReadonlyMap<number, HeldCall>,
  firstQueued: number,
): boolean {
  let says = false;
  for (const event of events) {
    const index = indexOf(event);
    if (index === undefined || index >= firstQueued || held.has(index)) return false;
    if (raw !== undefined && event.kind.endsWith('-end')) return false;
    says ||= event.kind.endsWith('-delta');
  }
  return says;
}

/**
 * What a step says before its first call waits for nobody: the start of the answer has to come before every text.
 * `undefined` where there is nothing, or where bytes say it together with the call.
 */
function partedAtCall(
  { events, raw }: AnswerStep,
  held: ReadonlyMap<number, HeldCall>,
): { readonly before: AnswerStep; readonly rest: AnswerStep } | undefined {
  if (raw !== undefined) return undefined;
  const at = events.findIndex((event) => event.kind === 'response-end' || heldOf(event, held) !== undefined);
  if (at < 1) return undefined;
  return { before: { events: events.slice(0, at) }, rest: { events: events.slice(at) } };
}

function isOneUndecided(held: ReadonlyMap<number, HeldCall>): boolean {
  for (const { verdict } of held.values()) if (verdict === undefined) return true;
  return false;
}

/** Whether the model is to be told of the calls of a turn instead of its client. */
function isFeedback(terminal: ModelEvent | undefined, held: ReadonlyMap<number, HeldCall>): boolean {
  if (terminal?.kind !== 'response-end' || held.size === 0) return false;
  if (terminal.finish !== 'tool-calls' && terminal.finish !== 'stop') return false;
  for (const { callId, verdict } of held.values()) {
    if (verdict?.kind !== 'refuse' || callId === '') return false;
  }
  return true;
}

/** A broken answer says so at once, after what is no call; calls that were held never go out. */
function brokenOff(queue: readonly AnswerStep[], held: ReadonlyMap<number, HeldCall>): AnswerStep {
  const events = queue.flatMap((step) => step.events.filter((event) => heldOf(event, held) === undefined));
  return { events };
}

function refusedOf(held: ReadonlyMap<number, HeldCall>): readonly RefusedCall[] {
  return [...held.values()].flatMap(({ callId, name, verdict }) =>
    verdict?.kind === 'refuse' ? [{ callId, name, text: verdict.text }] : [],
  );
}

const NO_BYTES: readonly Uint8Array[] = Object.freeze([]);

/** A step with the bytes before it, or with none where they hold calls that nobody can judge. */
function withBytes(step: AnswerStep, unread: readonly Uint8Array[], passes: boolean): AnswerStep {
  const { events, raw } = step;
  // What is written anew has no bytes: those before it alone would stand for all that it says.
  if (raw === undefined) return step;
  if (!passes) return { events };
  return unread.length === 0 ? step : { ...step, raw: [...unread, ...raw] };
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
