import type { Ledger } from '../state/ledger.ts';
import type { TurnCall } from '../state/loop-state.ts';
import type { StopReason } from '../stop-reason.ts';
import type { FailureData, LoopRules } from './loop-rules.ts';
import type { Answer } from './read-answer.ts';

/** Whether a run may ask the model once more. */
export function stopBeforeTurn(
  { progress, usage, workedMs, turns }: Pick<Ledger, 'progress' | 'usage' | 'workedMs' | 'turns'>,
  rules: LoopRules,
): StopReason | undefined {
  if (isReached(progress.repeats, rules.maxRepeats)) return 'no_progress';
  if (isReached(progress.fruitlessTurns, rules.maxFruitlessTurns)) return 'no_progress';
  if (isReached((usage.inputTotal ?? 0) + (usage.outputTotal ?? 0), rules.maxTokens)) return 'token_limit';
  if (isReached(workedMs, rules.maxDurationMs)) return 'time_limit';
  return isReached(turns, rules.maxTurns) ? 'turn_limit' : undefined;
}

/**
 * Whether a settled turn is the last one.
 *
 * @param answer - `undefined` when the turn was settled after a wait; then its calls are all there is to go by.
 */
export function stopAfterTurn(
  answer: Answer | undefined,
  open: readonly TurnCall[],
  failure: FailureData | undefined,
  rules: LoopRules,
): StopReason | undefined {
  if (failure !== undefined) return failureStop(failure);
  if (
    open.some(
      ({ call, outcome }) => outcome?.kind === 'completed' && rules.stopAfterTools.includes(call.name),
    )
  ) {
    return 'tool_stop';
  }
  if (answer === undefined) return undefined;
  if (answer.finish === 'error') return 'model_error';
  if (answer.finish === 'content-filter') return 'content_filter';
  if (answer.finish === 'refusal') return 'refusal';
  if (answer.calls.length > 0) return undefined;
  if (answer.refused) return 'refusal';
  if (answer.finish === 'length') return 'length';
  // A provider that paused wants to be asked again with what it said so far.
  if (answer.finish === 'paused') return undefined;
  // An end without a word looks like success, and whoever waits would get nothing.
  return answer.silent ? 'no_answer' : 'answer';
}

/** The end that a failed model turn means. */
export function failureStop({ code }: Pick<FailureData, 'code'>): StopReason {
  if (code === 'model/cancelled') return 'cancelled';
  // The gate did not open again for a run that went on in another process.
  if (code === 'gate/availability' || code === 'agent/context-failed') return 'permanent_error';
  return code === 'agent/time-limit' ? 'time_limit' : 'model_error';
}

function isReached(count: number, limit: number | null): boolean {
  return limit !== null && count >= limit;
}
