import type { ApprovalRequest, JsonObject, ToolCall } from '@toolgate/core';
import type { Item, ModelResponse } from '@toolgate/model';
import type { StepEffect } from '../durable/port.ts';
import type { RunOutcome } from '../state/run-outcome.ts';

/** Changes whenever the order or the names of the loop's steps change. */
export const LOOP_VERSION = 1;

/** What a loop decides by; the same for the whole life of a run. */
export interface LoopRules {
  readonly maxTurns: number;
  readonly maxTokens: number;
  readonly maxDurationMs: number;
  readonly maxCallsPerTool: ReadonlyMap<string, number>;
  readonly maxRepeats: number;
  readonly maxFruitlessTurns: number;
  readonly closingTurn: boolean;
  readonly stopAfterTools: ReadonlySet<string>;
  /** `once` unless the tool only reads or is declared idempotent. */
  readonly effectOf: (tool: string) => StepEffect;
  /** Whether to wait for decisions; otherwise the loop returns, suspended. */
  readonly waitForDecisions: boolean;
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

/** Input of the operation `model`. */
export interface ModelStepInput {
  readonly turn: number;
  /** The history so far; lent for the step, not to be changed or kept. */
  readonly items: readonly Item[];
  /** No tools: the model shall sum up. */
  readonly closing: boolean;
  /** Milliseconds that are left of the run's time. */
  readonly remainingMs: number | null;
}

/** Result of the operation `model`. */
export interface ModelStepValue {
  readonly response: ModelResponse;
  /** Set when the answer broke off or was never given; `response` holds what came. */
  readonly failure?: FailureData;
}

/** Input of the operation `tool`. */
export interface ToolStepInput {
  readonly turn: number;
  readonly call: ToolCall;
  readonly decision?: DecisionData;
}

/** Result of the operation `tool`. `ended`: a mechanism or a permanent error ends the run. */
export interface ToolStepValue {
  readonly outcome: RunOutcome;
  readonly ended?: FailureData;
}
