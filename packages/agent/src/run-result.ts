import type { ApprovalRequest, Straggler } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import type { LoopEnd } from './loop/loop-end.ts';
import type { FailureData } from './loop/loop-rules.ts';
import { pendingApprovals } from './loop/work-turn.ts';
import type { LoopState, RunUsage } from './state/loop-state.ts';
import { toResultItem } from './state/result-item.ts';
import type { RunOutcome } from './state/run-outcome.ts';
import type { RunState } from './state/run-state.ts';
import type { RunWarning } from './state/run-warning.ts';
import type { StopReason } from './stop-reason.ts';

/** What ended a run that went wrong; safe to log and to show. A run that was cancelled has none. */
export interface RunFailure {
  readonly code: string;
  readonly message: string;
  /** The provider's status and request id, where a model failed. */
  readonly status?: number;
  readonly requestId?: string;
  readonly callId?: string;
  /** For diagnosis only; not enumerable, absent after a resume and in durable runs. */
  readonly cause?: unknown;
}

/** How a run ended. Frozen. */
export interface RunResult {
  readonly runId: string;
  readonly stopReason: StopReason;
  /** The text of the model's last answer; empty when it had none. */
  readonly text: string;
  /**
   * The whole history, ready to be the input of a next run. With `suspended` it has the results of calls that finished
   * beside those that wait, which have none.
   */
  readonly items: readonly Item[];
  /** Every settled call, in order. */
  readonly outcomes: readonly RunOutcome[];
  readonly turns: number;
  readonly usage: RunUsage;
  /** The first of them, at most 100. */
  readonly warnings: readonly RunWarning[];
  /** Calls whose handlers still ran when the run ended, although their outcomes are out. */
  readonly stragglers: readonly Straggler[];
  /** With `suspended`: what waits for a decision. */
  readonly pending: readonly ApprovalRequest[];
  /** With `suspended`: give it to `resume`, today or in another process. */
  readonly state?: RunState;
  readonly error?: RunFailure;
}

/** What a result has besides the end of its loop. */
export interface ResultExtras {
  readonly stragglers?: readonly Straggler[];
  readonly state?: RunState;
  readonly cause?: unknown;
}

/** The result of a loop that ended. */
export function toRunResult({ stopReason, state, failure }: LoopEnd, extras: ResultExtras = {}): RunResult {
  const { stragglers = [], state: sealed, cause } = extras;
  const settled = settledIn(state);
  return Object.freeze({
    runId: state.runId,
    stopReason,
    text: state.text,
    items: Object.freeze([...state.items, ...settled.map(toResultItem)]),
    outcomes: Object.freeze([...state.outcomes, ...settled]),
    turns: state.turns,
    usage: state.usage,
    warnings: Object.freeze([...state.warnings]),
    stragglers,
    pending: Object.freeze(pendingApprovals(state.open)),
    ...(sealed === undefined ? {} : { state: sealed }),
    ...(failure === undefined ? {} : { error: withCause(failure, cause) }),
  });
}

/** A result that finished beside a call that waits is not held back. */
function settledIn({ open }: LoopState): readonly RunOutcome[] {
  return open.flatMap(({ outcome }) => (outcome === null || outcome.kind === 'suspended' ? [] : [outcome]));
}

function withCause(failure: FailureData, cause: unknown): RunFailure {
  return Object.freeze(Object.defineProperty({ ...failure }, 'cause', { value: cause, enumerable: false }));
}
