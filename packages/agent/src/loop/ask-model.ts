import { followSignal, ignoreThrown, MAX_TIMER_MS, type ToolDefinition } from '@toolgate/core';
import {
  createResponseCollector,
  type ModelCall,
  ModelError,
  type ModelEvent,
  type ModelResponse,
} from '@toolgate/model';
import type { AgentSettings } from '../agent-config.ts';
import type { AgentEvent } from '../agent-event.ts';
import type { RunWarning } from '../state/run-warning.ts';
import { isCallLikeText } from './call-like-text.ts';
import { elapsedSince, startWatch } from './elapsed.ts';
import { fitResponse } from './fit-response.ts';
import type { FailureData, ModelStepInput, ModelStepValue } from './loop-rules.ts';
import { textOf } from './read-answer.ts';
import { readEvents } from './read-events.ts';
import { releasedChoice } from './released-choice.ts';
import { sizeOf, toAgentEvent } from './to-agent-event.ts';

/** Where events of a run go. A promise: wait for it, there is no room for more. */
export type EmitEvent = (event: AgentEvent) => Promise<void> | undefined;

/** A model step, and what was thrown in it, for diagnosis. */
export interface AskedModel {
  readonly value: ModelStepValue;
  readonly cause?: unknown;
}

/** The answer of a model that was not asked. */
export const NOTHING_SAID: ModelResponse = Object.freeze({
  id: null,
  model: null,
  items: Object.freeze([]),
  finish: 'error',
  usage: null,
});
const CANCELLED: FailureData = { code: 'model/cancelled', message: 'the run was cancelled' };
const LATE: FailureData = {
  code: 'agent/time-limit',
  message: 'the run took as long as its limits allow',
};
const TOO_LARGE: FailureData = {
  code: 'agent/answer-too-large',
  message: 'the answer of the model is larger than the limit',
};
/** Warnings of one answer that are kept. */
const MAX_ANSWER_WARNINGS = 20;

/**
 * Does one model turn: streams the answer, passes its events on, and gathers it. Never throws: an answer that broke
 * off, or was never given, comes back with its failure.
 */
export async function askModel<Context>(
  input: ModelStepInput,
  definitions: readonly ToolDefinition[],
  settings: AgentSettings<Context>,
  signal: AbortSignal,
  emit: EmitEvent,
): Promise<AskedModel> {
  if (signal.aborted) return { value: notAsked(CANCELLED) };
  const { turn, remainingMs } = input;
  const { clock, limits } = settings;
  const watch = startWatch(clock);
  const limit = new AbortController();
  const stop = (): void => limit.abort(signal.reason);
  const unfollow = followSignal(signal, stop);
  let late = false;
  const onLate = (): void => {
    late = true;
    limit.abort();
  };
  const timer =
    remainingMs === null ? undefined : clock.setTimer(onLate, Math.min(remainingMs, MAX_TIMER_MS));

  const collector = createResponseCollector();
  const warnings: RunWarning[] = [];
  let failure: FailureData | undefined;
  let cause: unknown;
  let bytes = 0;
  let ended = false;
  await emit({ kind: 'turn-start', turn });
  const take = (event: ModelEvent): Promise<void> | 'end' | 'stop' | undefined => {
    collector.push(event);
    bytes += sizeOf(event);
    if (bytes > limits.maxAnswerBytes) {
      failure = TOO_LARGE;
      return 'stop';
    }
    if (event.kind === 'response-end' || event.kind === 'response-error') {
      ended = true;
      if (event.kind === 'response-error') failure = { code: event.code, message: event.message };
      return 'end';
    }
    if (event.kind === 'warning') keep(warnings, { turn, code: event.code, detail: event.detail });
    const shown = toAgentEvent(turn, event);
    return shown === undefined ? undefined : emit(shown);
  };
  try {
    const call = toModelCall(input, definitions, settings);
    await readEvents(settings.model.stream(call, { signal: limit.signal }), limit.signal, take);
  } catch (error) {
    ignoreThrown(error);
    failure ??= toFailure(error);
    cause = error;
  } finally {
    unfollow();
    if (timer !== undefined) clock.clearTimer(timer);
  }
  const response = fitResponse(collector.response());
  if (!ended) failure = (late && LATE) || (signal.aborted && CANCELLED) || failure || brokenOff(response);
  const found: RunWarning[] = [];
  if (failure === undefined && looksLikeCall(response, definitions)) {
    const detail = 'the answer looks like a call; text is never run';
    found.push({ turn, code: 'call-like-text', detail });
  }
  if (failure === undefined && turn === 1 && limits.asksTokens && isUncounted(response)) {
    const detail = 'the provider does not count the tokens of its answers; maxTokens does not hold';
    found.push({ turn, code: 'tokens-uncounted', detail });
  }
  for (const warning of found) {
    keep(warnings, warning);
    await emit({ kind: 'warning', ...warning });
  }
  const { finish, usage } = response;
  // A copy: it counts against the limits of the run.
  await emit({ kind: 'turn-end', turn, finish, usage: usage && Object.freeze({ ...usage }) });
  const value: ModelStepValue = {
    response,
    ...(failure === undefined ? {} : { failure }),
    asked: true,
    warnings,
    elapsedMs: elapsedSince(clock, watch),
  };
  return cause === undefined ? { value } : { value, cause };
}

/** The step of a run that was over before the model was asked. */
function notAsked(failure: FailureData): ModelStepValue {
  return { response: NOTHING_SAID, failure, asked: false, warnings: [], elapsedMs: 0 };
}

function toModelCall<Context>(
  { items, closing, released }: ModelStepInput,
  definitions: readonly ToolDefinition[],
  { model, instructions, call }: AgentSettings<Context>,
): ModelCall {
  const free = released === true ? releasedChoice(call.toolChoice) : undefined;
  const left = definitions.filter(({ name }) => free?.only === undefined || name === free.only);
  const offered = left.map(({ name, description, inputSchema }) => ({
    kind: 'function' as const,
    name,
    description,
    parameters: inputSchema,
  }));
  return {
    ...call,
    model: model.id,
    ...(instructions === undefined ? {} : { instructions: [{ role: 'system', text: instructions }] }),
    // A copy: the history grows on, and a model may keep what it was asked.
    items: Object.freeze([...items]),
    ...(offered.length === 0 ? {} : { tools: offered }),
    ...(free === undefined ? {} : { toolChoice: free.toolChoice }),
    // The tools stay in the request: a history with calls and no tools is refused by some providers.
    ...(closing && offered.length > 0 ? { toolChoice: { mode: 'none' } } : {}),
    stream: true,
  };
}

function keep(warnings: RunWarning[], warning: RunWarning): void {
  if (warnings.length < MAX_ANSWER_WARNINGS) warnings.push(warning);
}

function brokenOff({ items }: ModelResponse): FailureData {
  const message = items.length === 0 ? 'the model gave no answer' : 'the answer of the model broke off';
  return { code: 'model/stream-incomplete', message };
}

function isUncounted({ usage }: ModelResponse): boolean {
  return usage === null || (usage.inputTotal === null && usage.outputTotal === null);
}

function looksLikeCall({ items, finish }: ModelResponse, offered: readonly ToolDefinition[]): boolean {
  if (finish !== 'stop' && finish !== 'unknown') return false;
  if (items.some(({ kind }) => kind === 'tool-call')) return false;
  return isCallLikeText(
    textOf(items),
    offered.map(({ name }) => name),
  );
}

function toFailure(error: unknown): FailureData {
  if (!ModelError.is(error)) return { code: 'model/provider-error', message: 'the model failed' };
  const { code, message, status, requestId } = error;
  return {
    code,
    message,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
