import type { ApprovalRequest, JsonValue } from '@toolgate/core';
import type { PendingWait, RunPhase, RunStatus, SafeError } from '../durable/port.ts';
import type { RunResult } from '../run-result.ts';

/** Where a durable run is. */
export interface DurableStatus {
  readonly runId: string;
  /** `waiting`: for decisions; see `pending`. `stuck`: its journal does not fit this release; nothing is lost. */
  readonly phase: RunPhase;
  /** How it ended; with phase `done`, and with `cancelled`: how far it came, by what is written down until now. */
  readonly result?: RunResult;
  /** With phases `failed`, `cancelled` and `stuck`. */
  readonly error?: SafeError;
}

/** A decision that a durable run waits for. */
export interface PendingApproval {
  readonly runId: string;
  readonly approval: ApprovalRequest;
}

/** A status as the application sees it. */
export function toDurableStatus({ runId, phase, result, error }: RunStatus): DurableStatus {
  return Object.freeze({
    runId,
    phase,
    ...(result === undefined ? {} : { result: result as unknown as RunResult }),
    ...(error === undefined ? {} : { error }),
  });
}

/** A wait as the approval that it is about. */
export function toPendingApproval({ runId, note }: PendingWait): PendingApproval {
  return Object.freeze({ runId, approval: note as Exclude<JsonValue, null> as unknown as ApprovalRequest });
}
