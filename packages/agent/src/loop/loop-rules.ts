import type { ApprovalRequest, DeclinedCall, Digest, JsonObject, ToolCall } from '@toolgate/core';
import type { Item, ModelResponse } from '@toolgate/model';
import type { RunOutcome } from '../state/run-outcome.ts';
import type { RunWarning } from '../state/run-warning.ts';

/** Changes whenever the order or the names of the loop's steps change. */
export const LOOP_VERSION = 1;

/**
 * What a loop decides by; the same for the whole life of a run, as plain JSON. A limit of `null` is none.
 */
export interface LoopRules {
  readonly maxTurns: number | null;
  readonly maxTokens: number | null;
  readonly maxDurationMs: number | null;
  readonly maxCallsPerTurn: number | null;
  readonly maxCallsPerTool: Readonly<Record<string, number>>;
  readonly maxRepeats: number | null;
  /** Tools whose repeated calls are no sign of a loop; absent where there are none. */
  readonly mayRepeat?: readonly string[];
  readonly maxFruitlessTurns: number | null;
  readonly closingTurn: boolean;
  readonly stopAfterTools: readonly string[];
  /** The only tools that the choice of the run lets a model call; absent where it may call all. */
  readonly choosable?: readonly string[];
  /** The choice of the run demands a call in every turn, and no tool that it leaves ends the run; absent where that is not so. */
  readonly forced?: true;
  /** Tools that may run again after a crash: they only read, or are declared idempotent. */
  readonly repeatable: readonly string[];
  /** For a tool, the one that shows whether its calls took effect; absent where no tool has one. */
  readonly checkWith?: Readonly<Record<string, string>>;
}

/** A failure as plain JSON. */
export interface FailureData {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly callId?: string;
}

/** What somebody decided about one pending approval. */
export type DecisionData =
  | { readonly kind: 'allow'; readonly request: ApprovalRequest; readonly arguments?: JsonObject }
  | { readonly kind: 'decline'; readonly request: ApprovalRequest; readonly reason?: string }
  /** Nobody decided in time. */
  | { readonly kind: 'expire'; readonly request: ApprovalRequest };

/** Digests of the contracts that a run offers, by name. */
export type Advertised = Readonly<Record<string, Digest>>;

/** Input of the operation `model`. */
export interface ModelStepInput {
  readonly turn: number;
  /** The history so far; lent for the step, not to be changed or kept. */
  readonly items: readonly Item[];
  readonly advertised: Advertised;
  /** Of the run so far; for a gate that is opened again. Absent where there are none. */
  readonly declinedCalls?: readonly DeclinedCall[];
  /** Calls are refused: the model shall sum up. */
  readonly closing: boolean;
  /** A call that was demanded has run, so that no further one is; absent before, and where none was. */
  readonly released?: true;
  /** Milliseconds that are left of the run's time. */
  readonly remainingMs: number | null;
}

/** Result of the operation `model`. */
export interface ModelStepValue {
  readonly response: ModelResponse;
  /** Set when the answer broke off or was never given; `response` holds what came. */
  readonly failure?: FailureData;
  /** `false`: the run was over before the model was asked. */
  readonly asked: boolean;
  readonly warnings: readonly RunWarning[];
  readonly elapsedMs: number;
}

/** Input of the operation `tool`. */
export interface ToolStepInput {
  readonly turn: number;
  readonly call: ToolCall;
  readonly advertised: Advertised;
  /** Of the run so far; for a gate that is opened again. Absent where there are none. */
  readonly declinedCalls?: readonly DeclinedCall[];
  readonly decision?: DecisionData;
  /** Milliseconds that are left of the run's time. */
  readonly remainingMs: number | null;
}

/** Result of the operation `tool`. */
export interface ToolStepValue {
  readonly outcome: RunOutcome;
  /** A mechanism or a permanent error ends the run. */
  readonly ended?: FailureData;
  /** With `ended`: nothing ended the run before. */
  readonly first?: true;
  /** The caller is gone. */
  readonly cancelled?: true;
  readonly warnings?: readonly RunWarning[];
  readonly elapsedMs: number;
}
