import type { ApprovalRequest } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import type { RunUsage } from './state/loop-state.ts';
import type { RunOutcome } from './state/run-outcome.ts';
import type { RunState } from './state/run-state.ts';
import type { StopReason } from './stop-reason.ts';

/** What ended a run that went wrong; safe to log and to show. */
export interface RunFailure {
  readonly code: string;
  readonly message: string;
  /** The provider's status and request id, where a model failed. */
  readonly status?: number;
  readonly requestId?: string;
  readonly callId?: string;
  /** For diagnosis only; not enumerable, absent after a resume. */
  readonly cause?: unknown;
}

/** How a run ended. Frozen. */
export interface RunResult {
  readonly runId: string;
  readonly stopReason: StopReason;
  /** The text of the model's last answer; empty when there was none. */
  readonly text: string;
  /** The whole history, ready to be the input of a next run. */
  readonly items: readonly Item[];
  /** Every settled call, in order. */
  readonly outcomes: readonly RunOutcome[];
  readonly turns: number;
  readonly usage: RunUsage;
  /** With `suspended`: what waits for a decision. */
  readonly pending: readonly ApprovalRequest[];
  /** With `suspended`: give it to `resume`, today or in another process. */
  readonly state?: RunState;
  readonly error?: RunFailure;
}
