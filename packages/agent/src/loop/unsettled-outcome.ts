import { REASONS, type ReasonOf, type ToolCall } from '@toolgate/core';
import type { RunOutcome } from '../state/run-outcome.ts';

/** Reasons that the loop itself may give: nothing ran, or nobody knows what did. */
export type LoopReason = ReasonOf<'rejected' | 'unknown' | 'failed' | 'invalid'>;

/**
 * The outcome of a call that did not come back from the gate as one. Frozen.
 *
 * @param text - What the model is told; default: the fixed text of the reason.
 */
export function fixedOutcome(
  call: Pick<ToolCall, 'id' | 'name'>,
  reason: LoopReason,
  text?: string,
): RunOutcome {
  const entry = REASONS[reason];
  const fixed = 'text' in entry ? entry.text : 'The call was not executed.';
  return Object.freeze({
    callId: call.id,
    name: call.name,
    kind: entry.kind,
    reason,
    parts: Object.freeze([Object.freeze({ kind: 'text', text: text ?? fixed })]),
  });
}
