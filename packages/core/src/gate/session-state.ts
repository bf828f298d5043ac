import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { ApprovalRule } from '../policy/scope.ts';
import type { ToolCall } from '../tool/tool-call.ts';
import { CallGroup } from './call-group.ts';
import { Chain } from './chain.ts';
import type { GateCore } from './gate-core.ts';
import type { GateEntry } from './gate-entry.ts';
import type { GateError } from './gate-error.ts';
import type { CallEventPart, GateEvent, GateObserver } from './gate-event.ts';
import { ignoreLater } from './is-thenable.ts';
import type { LiveCall } from './live-call.ts';
import type { UnavailableDetail } from './reason.ts';
import { Scheduler } from './scheduler.ts';
import { shortName } from './short-name.ts';

/** A call that was given up while its handler ran. */
export interface Straggler {
  readonly callId: string;
  readonly tool: string;
}

/** What a session is opened with. */
export interface SessionParts<Context> {
  readonly core: GateCore<Context>;
  readonly id: string;
  readonly context: Context;
  readonly principal: string | undefined;
  /** Tools that are not offered, with the reason for audit. */
  readonly hidden: ReadonlyMap<string, UnavailableDetail>;
  readonly approvals: ReadonlyMap<string, ApprovalRule<Context>>;
  /** Beside the gate's own observer. */
  readonly observe: GateObserver | undefined;
}

/** Declined calls that a session remembers. */
const MAX_DECLINED = 1_000;

/** What the calls of one session share. */
export class SessionState<Context> {
  readonly core: GateCore<Context>;
  readonly id: string;
  readonly context: Context;
  readonly principal: string | undefined;
  readonly scheduler: Scheduler;
  readonly observed: boolean;
  readonly full: boolean;
  readonly stragglers: Set<Straggler> = new Set();
  readonly #parts: SessionParts<Context>;
  readonly #observers: readonly GateObserver[];
  readonly #live = new Chain<LiveCall>();
  readonly #declined = new Set<string>();
  readonly #used = new Set<string>();
  readonly #idle: (() => void)[] = [];
  /** Why no further call may start: the reason of a cancellation, or of the end of the session. */
  #over: { readonly reason: unknown } | undefined;
  #failure: GateError | undefined;
  #calls = 0;
  /** Of the signal that the newest call came with: a turn mostly has one for all of its calls, or one for each. */
  #group: CallGroup | undefined;

  constructor(parts: SessionParts<Context>) {
    this.#parts = parts;
    this.core = parts.core;
    this.id = parts.id;
    this.context = parts.context;
    this.principal = parts.principal;
    this.scheduler = new Scheduler(parts.core.settings.concurrency, parts.core.locks);
    this.#observers = [parts.core.settings.observe, parts.observe].filter((each) => each !== undefined);
    this.observed = this.#observers.length > 0;
    this.full = parts.core.settings.full;
  }

  /** How many calls came in. */
  get calls(): number {
    return this.#calls;
  }

  /** Whether calls that have not started must not start any more. */
  get over(): boolean {
    return this.#over !== undefined;
  }

  /** The first error that ended the run. */
  get failure(): GateError | undefined {
    return this.#failure;
  }

  /** Why a tool is not offered; `undefined` when it is. */
  hiddenBy(name: string): UnavailableDetail | undefined {
    return this.#parts.hidden.size === 0 ? undefined : this.#parts.hidden.get(name);
  }

  /** The tool that shows whether a call took effect, where it has one and that is offered. */
  checkFor({ profile: { checkWith } }: GateEntry<Context>): string | undefined {
    if (checkWith === undefined || !this.core.entries.has(checkWith)) return undefined;
    return this.hiddenBy(checkWith) === undefined ? checkWith : undefined;
  }

  approvalFor(entry: GateEntry<Context>): ApprovalRule<Context> | undefined {
    const { approvals } = this.#parts;
    return approvals.size === 0 ? undefined : approvals.get(entry.name);
  }

  enter(call: LiveCall): void {
    this.#calls += 1;
    this.#live.append(call);
  }

  exit(call: LiveCall): void {
    this.#live.remove(call);
    if (this.#live.first !== undefined || this.#idle.length === 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The calls that a signal cancels. */
  groupOf(signal: AbortSignal): CallGroup {
    if (this.#group?.signal !== signal) this.#group = new CallGroup(signal);
    return this.#group;
  }

  /** Ends the run: nothing starts any more, and what runs is told to stop. Only the first error counts. */
  fail(error: GateError): void {
    this.#failure ??= error;
    this.cancel(error);
  }

  /** Cancels every call that has no outcome. */
  cancel(reason: unknown): void {
    this.#over ??= { reason };
    for (let call = this.#live.first; call !== undefined; ) {
      // A call that was waiting leaves the chain at once.
      const { next } = call;
      call.cancel(reason);
      call = next;
    }
  }

  /** Settles when every call has its outcome. */
  whenIdle(): Promise<void> {
    if (this.#live.first === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
    });
  }

  /** Remembers that a call with these contract and argument digests was declined. */
  addDeclined(key: string): void {
    if (this.#declined.size < MAX_DECLINED) this.#declined.add(key);
  }

  wasDeclined(key: string): boolean {
    // Mostly there is none, and then the key need not even be put together.
    return this.#declined.size > 0 && this.#declined.has(key);
  }

  /** Notes that a grant for this approval request was used: another grant for it permits nothing. */
  addUsed(approvalId: string): void {
    this.#used.add(approvalId);
  }

  wasUsed(approvalId: string): boolean {
    return this.#used.has(approvalId);
  }

  /** @param part - Made for this event, which it becomes. */
  emitCall(call: Pick<ToolCall, 'id' | 'name'>, part: CallEventPart): void {
    const rest = {
      sessionId: this.id,
      at: this.core.settings.clock.now(),
      callId: shortName(call.id),
      tool: shortName(call.name),
    };
    // The part and these four members are one of the events. Spreading parts of so many shapes costs ten times as much.
    this.emit(Object.assign(part, rest) as GateEvent);
  }

  emitOpen(offered: readonly string[]): void {
    if (!this.observed) return;
    const hidden = [...this.#parts.hidden].map(([tool, detail]) => Object.freeze({ tool, detail }));
    this.emit({
      kind: 'session-open',
      ...this.#stamp(),
      ...(this.principal === undefined ? {} : { principal: this.principal }),
      offered: Object.freeze([...offered]),
      hidden: Object.freeze(hidden),
    });
  }

  emitClose(stragglers: readonly Straggler[]): void {
    if (!this.observed) return;
    const ids = Object.freeze(stragglers.map(({ callId }) => shortName(callId)));
    this.emit({ kind: 'session-close', ...this.#stamp(), calls: this.#calls, stragglers: ids });
  }

  #stamp(): { readonly sessionId: string; readonly at: number } {
    return { sessionId: this.id, at: this.core.settings.clock.now() };
  }

  /** Tells the observers. Whatever they do, the call goes on. */
  emit(event: GateEvent): void {
    const frozen = Object.freeze(event);
    for (const observe of this.#observers) {
      try {
        const answer: unknown = observe(frozen);
        ignoreLater(answer);
      } catch (thrown) {
        ignoreThrown(thrown);
        // An observer that fails is no reason to lose or change an outcome.
      }
    }
  }
}
