import type { ToolCall } from '../tool/tool-call.ts';
import type { CallDecision } from './call-decision.ts';
import { CallRun } from './call-run.ts';
import { driveCall } from './drive-call.ts';
import { GateError } from './gate-error.ts';
import type { UnsuccessfulReason } from './make-outcome.ts';
import type { Outcome } from './outcome.ts';
import type { SessionState } from './session-state.ts';

/**
 * Starts a call; it may have ended when this returns.
 *
 * @param call - A copy made by `readCall`.
 * @param refused - Set when the call is refused as it is, before anything is asked.
 */
export function beginCall<Context>(
  state: SessionState<Context>,
  call: ToolCall,
  decision: CallDecision | undefined,
  refused?: UnsuccessfulReason,
): CallRun<Context> {
  const run = new CallRun(state, call, decision);
  if (state.observed) {
    const { arguments: text } = call;
    run.emit({ kind: 'call-start', ...(state.full && typeof text === 'string' ? { arguments: text } : {}) });
  }
  if (refused === undefined) driveCall(run);
  else run.refuse(refused);
  return run;
}

/** The outcome of a call; rejects with the error of a call that ended the run. */
export function outcomeOf<Context>(run: CallRun<Context>): Promise<Outcome> {
  const { outcome } = run;
  // Most calls end at once; they need no functions to settle a promise with.
  if (outcome !== undefined)
    return run.failure === undefined ? Promise.resolve(outcome) : Promise.reject(endOf(run.failure, outcome));
  return new Promise((resolve, reject) => {
    run.onEnd((late) => {
      if (run.failure === undefined) resolve(late);
      else reject(endOf(run.failure, late));
    });
  });
}

/** The error of a call that ended the run, with what became of the call itself: it may have run before. */
function endOf({ code, message, cause, callId }: GateError, outcome: Outcome): GateError {
  return new GateError(code, message, {
    cause,
    outcomes: Object.freeze([outcome]),
    ...(callId === undefined ? {} : { callId }),
  });
}
