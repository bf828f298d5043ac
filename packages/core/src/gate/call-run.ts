import type { Digest } from '../json/digest.ts';
import type { Invocation } from '../tool/invocation.ts';
import type { ToolProgress } from '../tool/tool.ts';
import type { ToolCall } from '../tool/tool-call.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import { type CallChanges, UNCHANGED } from './call-changes.ts';
import { type ContextOwner, cancelContext, GateCallContext } from './call-context.ts';
import type { CallDecision } from './call-decision.ts';
import { toCallEnd } from './call-end-event.ts';
import type { Deadline, DeadlineLane, DeadlineOwner } from './deadlines.ts';
import type { GateEntry } from './gate-entry.ts';
import type { GateError } from './gate-error.ts';
import type { CallEventPart } from './gate-event.ts';
import { type OutcomeExtras, type UnsuccessfulReason, unsuccessful } from './make-outcome.ts';
import type { Outcome } from './outcome.ts';
import type { LiveCall, SessionState, Straggler } from './session-state.ts';
import type { Ticket } from './ticket.ts';

/**
 * One call on its way to its one outcome. Every way it can end goes through `settle`, and only the first one counts.
 *
 * `waiting`: its handler has not been called. `running`: it has. `finishing`: it returned, and nothing takes its result
 * away any more. `settled`: the outcome is out.
 */
export class CallRun<Context> implements LiveCall, DeadlineOwner, ContextOwner {
  previous: LiveCall | undefined = undefined;
  next: LiveCall | undefined = undefined;
  readonly session: SessionState<Context>;
  /** A copy: what was checked is what is used. */
  readonly call: ToolCall;
  readonly decision: CallDecision | undefined;
  /** Whether time has passed since the policies were asked. */
  waited = false;
  /** What was done to the call beyond what every call gets; made when there is something. */
  #changes: CallChanges | undefined;
  #outcome: Outcome | undefined;
  #failure: GateError | undefined;
  #waiter: ((outcome: Outcome) => void) | undefined;
  #entry: GateEntry<Context> | undefined;
  #ticket: Ticket | undefined;
  #invocation: Invocation | undefined;
  /** Set where somebody listens; a clock costs as much as some steps. */
  readonly #startedAt: number | undefined;
  #phase: 'waiting' | 'running' | 'finishing' | 'settled' = 'waiting';
  #context: GateCallContext<Context> | undefined;
  #deadline: Deadline | undefined;
  /** What to do when the deadline is over; `undefined` for the handler's own. */
  #onOver: (() => void) | undefined;
  #straggler: { readonly entry: Straggler; readonly since: number } | undefined;

  constructor(session: SessionState<Context>, call: ToolCall, decision: CallDecision | undefined) {
    this.session = session;
    this.call = call;
    this.decision = decision;
    this.#startedAt = session.observed ? session.core.deadlines.elapsed() : undefined;
    session.enter(this);
  }

  /** Whether it may still be refused. */
  get waiting(): boolean {
    return this.#phase === 'waiting';
  }

  get running(): boolean {
    return this.#phase === 'running';
  }

  get settled(): boolean {
    return this.#phase === 'settled';
  }

  /** The tool, once it is known and offered. */
  get entry(): GateEntry<Context> {
    return present(this.#entry);
  }

  /** The place in call order, from the same moment on. */
  get ticket(): Ticket {
    return present(this.#ticket);
  }

  /** What the contract admitted, once it did. */
  get invocation(): Invocation {
    return present(this.#invocation);
  }

  get argumentsDigest(): Digest | undefined {
    return this.#invocation?.digest;
  }

  get sessionId(): string {
    return this.session.id;
  }

  get observed(): boolean {
    return this.session.observed;
  }

  /** What policies and the handler get; the same one for all of them. */
  get context(): GateCallContext<Context> {
    this.#context ??= new GateCallContext(this, this.call.id, this.session.context);
    return this.#context;
  }

  /** Whether the handler was told to stop. */
  get cancelled(): boolean {
    return this.#context?.cancelled === true;
  }

  get changes(): CallChanges {
    return this.#changes ?? UNCHANGED;
  }

  /** Notes what was done to the call. */
  change(changes: Partial<CallChanges>): void {
    this.#changes = { ...this.changes, ...changes };
  }

  /** `undefined` until the call has ended. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Set when the call has ended the run. */
  get failure(): GateError | undefined {
    return this.#failure;
  }

  /** Has a function called at the end of a call that has no outcome yet. There is one who waits. */
  onEnd(waiter: (outcome: Outcome) => void): void {
    this.#waiter = waiter;
  }

  find(entry: GateEntry<Context>): void {
    this.#entry = entry;
    this.#ticket = this.session.scheduler.arrive(entry.order);
  }

  admit(invocation: Invocation): void {
    this.#invocation = invocation;
  }

  emit(part: CallEventPart): void {
    if (this.session.observed) this.session.emitCall(this.call, part);
  }

  /** Ends the call with an unsuccessful outcome. Returns `false`: there is no next step. */
  refuse(reason: UnsuccessfulReason, output?: ToolOutput, extras?: OutcomeExtras): false {
    this.settle(unsuccessful(this.call, reason, output, { edited: this.changes.edited, ...extras }));
    return false;
  }

  /** Ends the call and the run. */
  fail(error: GateError, outcome: UnsuccessfulReason): false {
    this.settle(
      unsuccessful(this.call, outcome, undefined, { cause: error, edited: this.changes.edited }),
      error,
    );
    this.session.fail(error);
    return false;
  }

  settle(outcome: Outcome, failure?: GateError): void {
    if (this.#phase === 'settled') return;
    const dispatched = this.#phase !== 'waiting';
    this.#phase = 'settled';
    this.#outcome = outcome;
    this.#failure = failure;
    this.stopTimer();
    if (this.#ticket !== undefined) this.session.scheduler.leave(this.#ticket);
    this.session.exit(this);
    if (this.session.observed) {
      const durationMs = this.#elapsed();
      const { changes } = this;
      const { full } = this.session;
      this.emit(toCallEnd(outcome, { dispatched, durationMs, changes, failure, full }));
    }
    this.#waiter?.(outcome);
  }

  /** The call is no longer wanted: it does not start, or its handler gets the grace period. */
  cancel(reason: unknown): void {
    switch (this.#phase) {
      case 'waiting':
        this.refuse('not_started');
        if (this.#context !== undefined) cancelContext(this.#context, reason);
        return;
      case 'running':
        if (this.cancelled) return;
        this.#startGrace(() => this.#giveUp('cancelled_after_dispatch'));
        cancelContext(this.context, reason);
        return;
      case 'finishing':
        // Its result is safe. What it still waits for, such as a store, has the grace period, too.
        if (this.#onOver !== undefined) this.#startGrace(this.#onOver);
        return;
      case 'settled':
        return;
    }
  }

  /** Bounds whatever the call waits for now. `over` runs unless `stopTimer` comes first. */
  startTimer(lane: DeadlineLane | undefined, over?: () => void): void {
    this.stopTimer();
    this.#onOver = over;
    if (lane === undefined) return;
    const { deadlines } = this.session.core;
    this.#deadline = deadlines.start(lane, this, deadlines.elapsed());
  }

  stopTimer(): void {
    if (this.#deadline === undefined) return;
    this.session.core.deadlines.stop(this.#deadline);
    this.#deadline = undefined;
  }

  onDeadline(): void {
    this.#deadline = undefined;
    if (this.#onOver === undefined) this.#giveUp('deadline_exceeded');
    else this.#onOver();
  }

  /** From here on the handler may have an effect. */
  beginHandler(): void {
    this.#phase = 'running';
    if (this.session.observed) {
      this.emit({ kind: 'call-dispatch', class: this.entry.profile.class, waitedMs: this.#elapsed() });
    }
  }

  /** The handler goes on after its first step: its deadline begins, unless it was told to stop already. */
  awaitHandler(): void {
    if (this.#phase === 'running' && !this.cancelled) this.startTimer(this.entry.timeout);
  }

  /** The handler returned in time. */
  beginFinish(): void {
    this.#phase = 'finishing';
    this.stopTimer();
    this.#onOver = undefined;
  }

  /** The handler settled after it was given up. */
  endLate(settled: 'fulfilled' | 'rejected', result: unknown): void {
    const straggler = this.#straggler;
    if (straggler === undefined) return;
    this.#straggler = undefined;
    this.session.stragglers.delete(straggler.entry);
    if (!this.session.observed) return;
    const lateMs = this.session.core.deadlines.elapsed() - straggler.since;
    this.emit({ kind: 'straggler', settled, lateMs, ...(this.session.full ? { result } : {}) });
  }

  /** Passes on what the handler reports while it runs. */
  reportProgress(update: ToolProgress): void {
    if (this.#phase !== 'running') return;
    const { progress, total, message } = update;
    if (!Number.isFinite(progress)) return;
    this.emit({
      kind: 'call-progress',
      progress,
      ...(Number.isFinite(total) && total !== undefined ? { total } : {}),
      ...(this.session.full && typeof message === 'string' ? { message } : {}),
    });
  }

  /** Milliseconds since the call came in. */
  #elapsed(): number {
    const now = this.session.core.deadlines.elapsed();
    return now - (this.#startedAt ?? now);
  }

  #startGrace(over: () => void): void {
    const { grace, deadlines } = this.session.core;
    // The deadline that runs holds where it comes first.
    const left = this.#deadline === undefined ? grace.ms : this.#deadline.dueAt - deadlines.elapsed();
    if (left < grace.ms) this.#onOver = over;
    else this.startTimer(grace, over);
  }

  #giveUp(reason: 'deadline_exceeded' | 'cancelled_after_dispatch'): void {
    const entry: Straggler = Object.freeze({ callId: this.call.id, tool: this.call.name });
    this.#straggler = { entry, since: this.session.core.deadlines.elapsed() };
    this.session.stragglers.add(entry);
    this.refuse(reason);
    if (reason === 'deadline_exceeded') {
      cancelContext(this.context, new DOMException('The tool did not finish in time.', 'TimeoutError'));
    }
  }
}

/** Steps are taken in order; one that looks for what no step before it found is a defect. */
function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('A step of the call was taken too early.');
  return value;
}
