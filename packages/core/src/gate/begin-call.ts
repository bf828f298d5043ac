import type { ToolCall } from '../tool/tool-call.ts';
import type { CallDecision } from './call-decision.ts';
import { type CallEnd, CallRun } from './call-run.ts';
import { driveCall } from './drive-call.ts';
import type { UnsuccessfulReason } from './make-outcome.ts';
import type { SessionState } from './session-state.ts';

/** A call on its way in. */
export interface NewCall {
  /** A copy made by `readCall`. */
  readonly call: ToolCall;
  readonly decision: CallDecision | undefined;
  /** Set when the call is refused as it is, before anything is asked. */
  readonly refused: UnsuccessfulReason | undefined;
}

/** Starts a call. `end` is called once, perhaps before this returns. */
export function beginCall<Context>(state: SessionState<Context>, made: NewCall, end: CallEnd): void {
  const { call, decision, refused } = made;
  const run = new CallRun(state, call, decision, end);
  if (state.observed) {
    const { arguments: text } = call;
    run.emit({ kind: 'call-start', ...(state.full && typeof text === 'string' ? { arguments: text } : {}) });
  }
  if (refused === undefined) driveCall(run);
  else run.refuse(refused);
}
