import type { ApprovalRequest } from '../policy/approval.ts';
import type { VoidReason } from '../policy/approval-grant.ts';
import type { ExecutionClass } from '../tool/profile.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import type { OutcomeKind, Reason, UnavailableDetail } from './reason.ts';

/** What every event carries. */
interface EventBase {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What every event about one call carries. Both texts come from a model: cut to 128 characters, made well-formed. */
interface CallEventBase extends EventBase {
  readonly callId: string;
  readonly tool: string;
}

/** A session opened; what it offers is fixed from here on. */
export interface SessionOpenEvent extends EventBase {
  readonly kind: 'session-open';
  readonly principal?: string;
  /** Names of the advertised tools, in order of declaration. */
  readonly offered: readonly string[];
  readonly hidden: readonly { readonly tool: string; readonly detail: UnavailableDetail }[];
}

/** A call came in. Nothing about it has been checked. */
export interface CallStartEvent extends CallEventBase {
  readonly kind: 'call-start';
  /** The argument text as proposed; only with `content: 'full'`. */
  readonly arguments?: string;
}

/** The steps of a call that can say no. */
export type DecisionStep = 'scope' | 'availability' | 'authorization' | 'approval';

/** A policy decided, or could not. */
export interface DecisionEvent extends CallEventBase {
  readonly kind: 'decision';
  readonly step: DecisionStep;
  readonly verdict: 'allow' | 'deny' | 'defer' | 'expire' | 'error';
  readonly detail?: UnavailableDetail | VoidReason | 'repeated' | 'no-answer';
  readonly approvalId?: string;
  /** A reviewer changed the arguments. */
  readonly edited?: true;
}

/** A decision about a call is awaited. */
export interface ApprovalRequestEvent extends CallEventBase {
  readonly kind: 'approval-request';
  readonly approvalId: string;
  readonly class: ExecutionClass;
  /** Milliseconds on the clock of the gate. */
  readonly expiresAt: number | 'none';
  /** With its arguments; only with `content: 'full'`. */
  readonly request?: ApprovalRequest;
}

/** The repair hook changed the arguments of a call that had been refused. */
export interface CallRepairEvent extends CallEventBase {
  readonly kind: 'call-repair';
  /** Why the arguments as proposed were refused. */
  readonly reason: Reason;
  /** Whether the repaired ones were admitted. */
  readonly admitted: boolean;
}

/** The handler is about to be called. */
export interface CallDispatchEvent extends CallEventBase {
  readonly kind: 'call-dispatch';
  readonly class: ExecutionClass;
  /** Time since the call came in: policies, approval, waiting for its turn. */
  readonly waitedMs: number;
}

/** A running handler reported progress. */
export interface CallProgressEvent extends CallEventBase {
  readonly kind: 'call-progress';
  readonly progress: number;
  readonly total?: number;
  /** Only with `content: 'full'`. */
  readonly message?: string;
}

/** A call has its outcome. Exactly one for each `call-start`. */
export interface CallEndEvent extends CallEventBase {
  readonly kind: 'call-end';
  readonly outcome: OutcomeKind;
  readonly reason: Reason;
  /** Why a tool was unavailable; for audit only. */
  readonly detail?: UnavailableDetail;
  readonly dispatched: boolean;
  /** Time since the call came in. */
  readonly durationMs: number;
  /** Bytes of what the model gets. */
  readonly outputBytes: number;
  /** Bytes of the whole result, when it was cut. */
  readonly originalBytes?: number;
  /** Secrets replaced in what the model gets. */
  readonly redactions: number;
  /** Halves of surrogate pairs in what the tool gave, replaced by U+FFFD. */
  readonly mended: number;
  readonly edited?: true;
  readonly repaired?: true;
  /** Set when the call ended the run. */
  readonly error?: string;
  /** What the model gets; only with `content: 'full'`. */
  readonly output?: ToolOutput;
  /** What was thrown, for diagnosis; only with `content: 'full'`. */
  readonly cause?: unknown;
}

/** A handler settled after its call had been given up: the outcome stays `unknown`, and this is how it really ended. */
export interface StragglerEvent extends CallEventBase {
  readonly kind: 'straggler';
  readonly settled: 'fulfilled' | 'rejected';
  /** Time since it was given up. */
  readonly lateMs: number;
  /** What it returned or threw; only with `content: 'full'`. */
  readonly result?: unknown;
}

/** A session closed. */
export interface SessionCloseEvent extends EventBase {
  readonly kind: 'session-close';
  readonly calls: number;
  /** Ids of calls whose handlers still run. */
  readonly stragglers: readonly string[];
}

/**
 * What happens in a gate, for audit, tracing and displays. Without `content: 'full'` no event holds an argument, a
 * result, or the text of an error.
 */
export type GateEvent =
  | SessionOpenEvent
  | CallStartEvent
  | DecisionEvent
  | ApprovalRequestEvent
  | CallRepairEvent
  | CallDispatchEvent
  | CallProgressEvent
  | CallEndEvent
  | StragglerEvent
  | SessionCloseEvent;

/** Receives events in order. What it throws, or a promise of it rejects with, is dropped: it cannot change a call. */
export type GateObserver = (event: GateEvent) => void;

/** The events about one call, without what the gate adds to each. */
export type CallEventPart = DistributiveOmit<Exclude<GateEvent, SessionOpenEvent | SessionCloseEvent>>;

type DistributiveOmit<Event> = Event extends unknown ? Omit<Event, keyof CallEventBase> : never;
