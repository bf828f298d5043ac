import type { ToolCall } from '../tool/tool-call.ts';
import { beginCall, outcomeOf } from './begin-call.ts';
import type { CallDecision } from './call-decision.ts';
import type { Outcome } from './outcome.ts';
import type { SessionState } from './session-state.ts';

/** Executes a call that its caller can cancel alone. One that is cancelled already does not start. */
export async function executeUnder<Context>(
  signal: AbortSignal,
  state: SessionState<Context>,
  call: ToolCall,
  decision: CallDecision | undefined,
): Promise<Outcome> {
  const run = beginCall(state, call, decision, signal.aborted ? 'not_started' : undefined);
  const group = state.groupOf(signal);
  group.add(run);
  try {
    return await outcomeOf(run);
  } finally {
    group.remove(run);
  }
}
