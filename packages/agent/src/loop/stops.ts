import type { LoopState, TurnCall } from '../state/loop-state.ts';
import type { StopReason } from '../stop-reason.ts';
import type { FailureData, LoopRules } from './loop-rules.ts';
import { longestRepeat } from './progress.ts';
import type { Answer } from './read-answer.ts';

/** Whether a run may ask the model once more. */
export function stopBeforeTurn(state: LoopState, rules: LoopRules): StopReason | undefined {
  if (longestRepeat(state) >= rules.maxRepeats || state.fruitlessTurns >= rules.maxFruitlessTurns)
    return 'no_progress';
  if ((state.usage.inputTotal ?? 0) + (state.usage.outputTotal ?? 0) >= rules.maxTokens) return 'token_limit';
  if (state.workedMs >= rules.maxDurationMs) return 'time_limit';
  return state.turns >= rules.maxTurns ? 'turn_limit' : undefined;
}

/**
 * Whether a settled turn is the last one.
 *
 * @param answer - `undefined` when the turn was settled after a wait; then its calls are all there is to go by.
 */
export function stopAfterAnswer(
  answer: Answer | undefined,
  open: readonly TurnCall[],
  failure: FailureData | undefined,
  rules: LoopRules,
): StopReason | undefined {
  if (failure !== undefined) return failureStop(failure);
  if (
    open.some(({ call, outcome }) => outcome?.kind === 'completed' && rules.stopAfterTools.has(call.name))
  ) {
    return 'tool_stop';
  }
  // Cancelled calls mean that the caller is gone.
  if (open.some(({ outcome }) => outcome?.reason === 'cancelled_after_dispatch')) return 'cancelled';
  if (answer === undefined) return undefined;
  if (answer.finish === 'error') return 'model_error';
  if (answer.finish === 'content-filter') return 'content_filter';
  if (answer.finish === 'refusal') return 'refusal';
  if (answer.calls.length > 0) return undefined;
  if (answer.refused) return 'refusal';
  if (answer.finish === 'length') return 'length';
  // A provider that paused wants to be asked again with what it said so far.
  return answer.finish === 'paused' ? undefined : 'answer';
}

function failureStop({ code }: FailureData): StopReason {
  if (code === 'model/cancelled') return 'cancelled';
  return code === 'agent/time-limit' ? 'time_limit' : 'model_error';
}
