import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { Digest } from '../json/digest.ts';
import type { Invocation } from '../tool/invocation.ts';
import type { ToolProgress } from '../tool/tool.ts';
import type { ToolCall } from '../tool/tool-call.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import { type CallChanges, UNCHANGED } from './call-changes.ts';
import { type ContextOwner, cancelContext, GateCallContext } from './call-context.ts';
import type { CallDecision } from './call-decision.ts';
import { toCallEnd } from './call-end-event.ts';
import type { DeadlineLane, DeadlineOwner } from './deadlines.ts';
import type { GateEntry } from './gate-entry.ts';
import type { GateError } from './gate-error.ts';
import type { CallEventPart } from './gate-event.ts';
import type { LiveCall } from './live-call.ts';
import { type OutcomeExtras, type UnsuccessfulReason, unsuccessful } from './make-outcome.ts';
import type { Outcome } from './outcome.ts';
import { present } from './present.ts';
import { editOf } from './ran-with.ts';
import { newRunState, type RunState } from './run-state.ts';
import type { SessionState, Straggler } from './session-state.ts';
import { tellProgress } from './tell-progress.ts';
import type { Ticket } from './ticket.ts';
import { doubtfulOutput } from './unknown-text.ts';

/**
 * One call on its way to its one outcome. Every way it can end goes through `settle`, and only the first one counts.
 *
 * `waiting`: its handler has not been called. `running`: it has. `finishing`: it returned, and nothing takes its result
 * away any more. `settled`: the outcome is out.
 */
export class CallRun<Context> implements LiveCall, DeadlineOwner, ContextOwner {
  declare previous: LiveCall | undefined;
  declare next: LiveCall | undefined;
  declare readonly session: SessionState<Context>;
  /** A copy: what was checked is what is used. */
  declare readonly call: ToolCall;
  declare readonly decision: CallDecision | undefined;
  /** Whether time has passed since the policies were asked. */
  declare waited: boolean;
  // One literal: defining each as a private field of its own costs several times as much.
  readonly #state: RunState<Context>;

  constructor(session: SessionState<Context>, call: ToolCall, decision: CallDecision | undefined) {
    this.previous = undefined;
    this.next = undefined;
    this.session = session;
    this.call = call;
    this.decision = decision;
    this.waited = false;
    this.#state = newRunState(session.observed ? session.core.deadlines.elapsed() : undefined);
    session.enter(this);
  }

  /** Whether it may still be refused. */
  get waiting(): boolean {
    return this.#state.phase === 'waiting';
  }

  get running(): boolean {
    return this.#state.phase === 'running';
  }

  get settled(): boolean {
    return this.#state.phase === 'settled';
  }

  /** The tool, once it is known and offered. */
  get entry(): GateEntry<Context> {
    return present(this.#state.entry);
  }

  /** The place in call order, from the same moment on. */
  get ticket(): Ticket {
    return present(this.#state.ticket);
  }

  /** What the contract admitted, once it did. */
  get invocation(): Invocation {
    return present(this.#state.invocation);
  }

  get argumentsDigest(): Digest | undefined {
    return this.#state.invocation?.digest;
  }

  get sessionId(): string {
    return this.session.id;
  }

  get observed(): boolean {
    return this.session.observed || this.decision?.progress !== undefined;
  }

  /** What policies and the handler get; the same one for all of them. */
  get context(): GateCallContext<Context> {
    this.#state.context ??= new GateCallContext(this, this.call.id, this.session.context);
    return this.#state.context;
  }

  /** Whether the handler was told to stop. */
  get cancelled(): boolean {
    return this.#state.context?.cancelled === true;
  }

  get changes(): CallChanges {
    return this.#state.changes ?? UNCHANGED;
  }

  /** Notes what was done to the call. */
  change(changes: Partial<CallChanges>): void {
    this.#state.changes = { ...this.changes, ...changes };
  }

  /** `undefined` until the call has ended. */
  get outcome(): Outcome | undefined {
    return this.#state.outcome;
  }

  /** Set when the call has ended the run. */
  get failure(): GateError | undefined {
    return this.#state.failure;
  }

  /** Has a function called at the end of a call that has no outcome yet. There is one who waits. */
  onEnd(waiter: (outcome: Outcome) => void): void {
    this.#state.waiter = waiter;
  }

  find(entry: GateEntry<Context>): void {
    this.#state.entry = entry;
    this.#state.ticket = this.session.scheduler.arrive(entry.order);
  }

  admit(invocation: Invocation): void {
    this.#state.invocation = invocation;
  }

  emit(part: CallEventPart): void {
    if (this.session.observed) this.session.emitCall(this.call, part);
  }

  /** Ends the call with an unsuccessful outcome. Returns `false`: there is no next step. */
  refuse(reason: UnsuccessfulReason, output?: ToolOutput, extras?: OutcomeExtras): false {
    ignoreThrown(extras?.cause);
    this.settle(unsuccessful(this.call, reason, output, { ...editOf(this), ...extras }));
    return false;
  }

  /** Ends the call and the run. */
  fail(error: GateError, outcome: UnsuccessfulReason): false {
    this.settle(unsuccessful(this.call, outcome, undefined, { cause: error, ...editOf(this) }), error);
    this.session.fail(error);
    return false;
  }

  settle(outcome: Outcome, failure?: GateError): void {
    if (this.#state.phase === 'settled') return;
    const dispatched = this.#state.phase !== 'waiting';
    this.#state.phase = 'settled';
    this.#state.outcome = outcome;
    this.#state.failure = failure;
    this.stopTimer();
    const { straggler, ticket } = this.#state;
    if (straggler?.lingers !== true) this.#leaveOrder();
    else if (ticket !== undefined) this.session.scheduler.linger(ticket);
    this.session.exit(this);
    if (this.session.observed) {
      const durationMs = this.#elapsed();
      const { changes, session } = this;
      const { full } = session;
      this.emit(toCallEnd(outcome, { dispatched, durationMs, changes, failure, full }));
    }
    this.#state.waiter?.(outcome);
  }

  /** The call is no longer wanted: it does not start, or its handler gets the grace period. */
  cancel(reason: unknown): void {
    switch (this.#state.phase) {
      case 'waiting':
        this.refuse('not_started');
        if (this.#state.context !== undefined) cancelContext(this.#state.context, reason);
        return;
      case 'running':
        if (this.cancelled) return;
        this.#startGrace(() => this.#giveUp('cancelled_after_dispatch'));
        cancelContext(this.context, reason);
        return;
      case 'finishing':
        // Its result is safe. What it still waits for, such as a store, has the grace period, too.
        if (this.#state.onOver !== undefined) this.#startGrace(this.#state.onOver);
        return;
      case 'settled':
        return;
    }
  }

  /** Bounds whatever the call waits for now. `over` runs unless `stopTimer` comes first. */
  startTimer(lane: DeadlineLane | undefined, over?: () => void): void {
    this.stopTimer();
    this.#state.onOver = over;
    if (lane === undefined) return;
    const { deadlines } = this.session.core;
    this.#state.deadline = deadlines.start(lane, this, deadlines.elapsed());
  }

  stopTimer(): void {
    if (this.#state.deadline === undefined) return;
    this.session.core.deadlines.stop(this.#state.deadline);
    this.#state.deadline = undefined;
  }

  onDeadline(): void {
    this.#state.deadline = undefined;
    if (this.#state.onOver === undefined) this.#giveUp('deadline_exceeded');
    else this.#state.onOver();
  }

  /** From here on the handler may have an effect. */
  beginHandler(): void {
    this.#state.phase = 'running';
    if (this.session.observed) {
      this.emit({ kind: 'call-dispatch', class: this.entry.profile.class, waitedMs: this.#elapsed() });
    }
  }

  /** The handler goes on after its first step: its deadline begins, unless it was told to stop already. */
  awaitHandler(): void {
    if (this.#state.phase === 'running' && !this.cancelled) this.startTimer(this.entry.timeout);
  }

  /** The handler returned in time. */
  beginFinish(): void {
    this.#state.phase = 'finishing';
    this.stopTimer();
    this.#state.onOver = undefined;
  }

  /** The handler settled after it was given up. */
  endLate(settled: 'fulfilled' | 'rejected', result: unknown): void {
    const straggler = this.#state.straggler;
    if (straggler === undefined) return;
    this.#state.straggler = undefined;
    this.stopTimer();
    this.#leaveOrder();
    this.session.stragglers.delete(straggler.entry);
    if (!this.session.observed) return;
    const lateMs = this.session.core.deadlines.elapsed() - straggler.since;
    this.emit({ kind: 'straggler', settled, lateMs, ...(this.session.full ? { result } : {}) });
  }

  /** Passes on what the handler reports while it runs. */
  reportProgress(update: ToolProgress): void {
    if (this.#state.phase !== 'running') return;
    const { progress, total, message } = update;
    if (!Number.isFinite(progress)) return;
    const { decision } = this;
    if (decision?.progress !== undefined) tellProgress(decision.progress, update);
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
    return now - (this.#state.startedAt ?? now);
  }

  #startGrace(over: () => void): void {
    const { grace, deadlines } = this.session.core;
    // The deadline that runs holds where it comes first.
    const left =
      this.#state.deadline === undefined ? grace.ms : this.#state.deadline.dueAt - deadlines.elapsed();
    if (left < grace.ms) this.#state.onOver = over;
    else this.startTimer(grace, over);
  }

  #leaveOrder(): void {
    if (this.#state.ticket !== undefined) this.session.scheduler.leave(this.#state.ticket);
  }

  #giveUp(reason: 'deadline_exceeded' | 'cancelled_after_dispatch'): void {
    const entry: Straggler = Object.freeze({ callId: this.call.id, tool: this.call.name });
    // It hears only now that it has to stop: what must not run beside it waits as long as for one that was cancelled.
    const lingers = reason === 'deadline_exceeded' && this.entry.order !== 'free';
    this.#state.straggler = { entry, since: this.session.core.deadlines.elapsed(), lingers };
    this.session.stragglers.add(entry);
    this.refuse(reason, doubtfulOutput(reason, this.session.checkFor(this.entry)));
    if (lingers) this.startTimer(this.session.core.grace, () => this.#leaveOrder());
    if (reason === 'deadline_exceeded') {
      cancelContext(this.context, new DOMException('The tool did not finish in time.', 'TimeoutError'));
    }
  }
}
