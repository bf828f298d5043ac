import type { ApprovalRequest } from '../policy/approval.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import type { ReasonOf, UnavailableDetail } from './reason.ts';

/** What every outcome carries. */
interface OutcomeBase {
  /** The call's id as proposed. */
  readonly callId: string;
  /** The tool name as proposed. */
  readonly name: string;
  /**
   * For diagnosis only: what a handler, policy or validator threw. Not enumerable, so that encoding, logging or
   * spreading an outcome does not carry it.
   */
  readonly cause?: unknown;
  /** A reviewer changed the arguments: what was checked and run is not what the model wrote. */
  readonly edited?: true;
  /**
   * With `edited`, where the handler was called: the arguments it was called with, as JSON text that the model may read.
   * Redacted, and cut to 2,000 bytes.
   */
  readonly ranWith?: string;
}

/** The tool ran and its output may be used. */
export interface CompletedOutcome extends OutcomeBase {
  readonly kind: 'completed';
  readonly reason: ReasonOf<'completed'>;
  readonly output: ToolOutput;
  /** Set when the output was cut to its budget. */
  readonly truncated?: Truncation;
  /** Pointers (RFC 6901) of members that defaults filled in. Absent when none were. */
  readonly filled?: readonly string[];
  /** The argument text as the model wrote it, when a repair hook changed it. */
  readonly repairedFrom?: string;
  /** Halves of surrogate pairs in what the tool gave, replaced by U+FFFD. Absent when there were none. */
  readonly mended?: number;
}

/** How much of an output was left out, and where the whole of it is kept. */
export interface Truncation {
  readonly originalBytes: number;
  /** A handle of the result store, where one is set. */
  readonly handle?: string;
}

/** The call definitely did not succeed. It may have had partial effects that `output` acknowledges. */
export interface FailedOutcome extends OutcomeBase {
  readonly kind: 'failed';
  readonly reason: ReasonOf<'failed'>;
  readonly output: ToolOutput;
}

/** The call was refused and did not run. */
export interface RejectedOutcome extends OutcomeBase {
  readonly kind: 'rejected';
  readonly reason: ReasonOf<'rejected'>;
  readonly output: ToolOutput;
  /** For audit only; present with `tool_unavailable`, not enumerable. */
  readonly detail?: UnavailableDetail;
}

/** The proposal was not a valid call. */
export interface InvalidOutcome extends OutcomeBase {
  readonly kind: 'invalid';
  readonly reason: ReasonOf<'invalid'>;
  readonly output: ToolOutput;
}

/** The call may have had an effect; nobody knows. Never retried by Toolgate. */
export interface UnknownOutcome extends OutcomeBase {
  readonly kind: 'unknown';
  readonly reason: ReasonOf<'unknown'>;
  readonly output: ToolOutput;
}

/** Nothing ran; a decision is awaited. There is no result to send. */
export interface SuspendedOutcome extends OutcomeBase {
  readonly kind: 'suspended';
  readonly reason: ReasonOf<'suspended'>;
  readonly approval: ApprovalRequest;
}

/** Exactly one truth about one call. Frozen. */
export type Outcome =
  | CompletedOutcome
  | FailedOutcome
  | RejectedOutcome
  | InvalidOutcome
  | UnknownOutcome
  | SuspendedOutcome;

/** An outcome that ends the call: everything but `suspended`. */
export type SettledOutcome = Exclude<Outcome, SuspendedOutcome>;
