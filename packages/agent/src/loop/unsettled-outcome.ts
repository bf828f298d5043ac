import { REASONS, type ReasonOf, type ToolCall } from '@toolgate/core';
import type { RunOutcome } from '../state/run-outcome.ts';

/** Reasons that the loop itself may give: nothing ran, or nobody knows what did. */
type LoopReason = ReasonOf<'rejected' | 'unknown' | 'failed' | 'invalid'>;

/** The outcome of a call that did not come back from the gate as one. */
export function fixedOutcome(call: ToolCall, reason: LoopReason): RunOutcome {
  const entry = REASONS[reason];
  return {
    callId: call.id,
    name: call.name,
    kind: entry.kind,
    reason,
    parts: [{ kind: 'text', text: 'text' in entry ? entry.text : 'The call was not executed.' }],
  };
}
