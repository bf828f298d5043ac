import type { ToolCall } from '../tool/tool-call.ts';
import { beginCall, outcomeOf } from './begin-call.ts';
import type { CallDecision } from './call-decision.ts';
import type { CallRun } from './call-run.ts';
import type { Outcome } from './outcome.ts';
import type { SessionState } from './session-state.ts';

/** Executes a call that its caller can cancel alone. One that is cancelled already does not start. */
export async function executeUnder<Context>(
  signal: AbortSignal,
  state: SessionState<Context>,
  call: ToolCall,
  decision: CallDecision | undefined,
): Promise<Outcome> {
  const group = state.groupOf(signal);
  // First: where the signal cannot be followed, nothing has begun.
  group.follow();
  let run: CallRun<Context> | undefined;
  try {
    run = beginCall(state, call, decision, signal.aborted ? 'not_started' : undefined);
    group.add(run);
    return await outcomeOf(run);
  } finally {
    group.leave(run);
  }
}
