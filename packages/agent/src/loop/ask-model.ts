import { MAX_TIMER_MS, type ToolDefinition } from '@toolgate/core';
import {
  createResponseCollector,
  type ModelCall,
  ModelError,
  type ModelEvent,
  type ModelResponse,
} from '@toolgate/model';
import type { AgentSettings } from '../agent-config.ts';
import type { AgentEvent } from '../agent-event.ts';
import type { FailureData, ModelStepInput, ModelStepValue } from './loop-rules.ts';

/** Where events of a run go; resolves when there is room for more. */
export type EmitEvent = (event: AgentEvent) => Promise<void>;

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
): Promise<{ readonly value: ModelStepValue; readonly cause?: unknown }> {
  const { turn, remainingMs } = input;
  const collector = createResponseCollector();
  const limit = new AbortController();
  const stop = (): void => limit.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let late = false;
  const timer =
    remainingMs === null
      ? undefined
      : settings.clock.setTimer(
          () => {
            late = true;
            limit.abort();
          },
          Math.min(remainingMs, MAX_TIMER_MS),
        );

  await emit({ kind: 'turn-start', turn });
  let failure: FailureData | undefined;
  let cause: unknown;
  let bytes = 0;
  let started = false;
  try {
    const events = settings.model.stream(toModelCall(input, definitions, settings), { signal: limit.signal });
    for await (const event of untilAborted(events, limit.signal)) {
      collector.push(event);
      started = true;
      bytes += sizeOf(event);
      if (bytes > settings.limits.maxAnswerBytes) {
        failure = {
          code: 'agent/answer-too-large',
          message: 'the answer of the model is larger than the limit',
        };
        break;
      }
      if (event.kind === 'response-error') failure = { code: event.code, message: event.message };
      const shown = toAgentEvent(turn, event);
      if (shown !== undefined) await emit(shown);
    }
  } catch (error) {
    failure ??= toFailure(error);
    cause = error;
  } finally {
    signal.removeEventListener('abort', stop);
    if (timer !== undefined) settings.clock.clearTimer(timer);
  }
  const response: ModelResponse = collector.response();
  if (failure === undefined && response.finish === 'error' && !started) {
    failure = { code: 'model/stream-incomplete', message: 'the model gave no answer' };
  }
  if (failure === undefined && response.finish === 'error') {
    failure = { code: 'model/stream-incomplete', message: 'the answer of the model broke off' };
  }
  if (late) failure = { code: 'agent/time-limit', message: 'the run took as long as its limits allow' };
  else if (signal.aborted) failure = { code: 'model/cancelled', message: 'the run was cancelled' };
  await emit({ kind: 'turn-end', turn, finish: response.finish, usage: response.usage });
  return {
    value: failure === undefined ? { response } : { response, failure },
    ...(cause === undefined ? {} : { cause }),
  };
}

function toModelCall<Context>(
  { items, closing }: ModelStepInput,
  definitions: readonly ToolDefinition[],
  { model, instructions, call }: AgentSettings<Context>,
): ModelCall {
  const offered = definitions.map(({ name, description, inputSchema }) => ({
    kind: 'function' as const,
    name,
    description,
    parameters: inputSchema,
  }));
  return {
    ...call,
    model: model.id,
    ...(instructions === undefined ? {} : { instructions: [{ role: 'system', text: instructions }] }),
    items,
    ...(offered.length === 0 ? {} : { tools: offered }),
    // The tools stay in the request: a history with calls and no tools is refused by some providers.
    ...(closing && offered.length > 0 ? { toolChoice: { mode: 'none' } } : {}),
    stream: true,
  };
}

/** Ends the iteration when the signal does, also for a model that ignores it. */
async function* untilAborted(
  events: AsyncIterable<ModelEvent>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const iterator = events[Symbol.asyncIterator]();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<'aborted'>((resolve) => {
    onAbort = (): void => resolve('aborted');
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  let finished = false;
  try {
    for (;;) {
      const next = iterator.next();
      const result = await Promise.race([next, aborted]);
      if (result === 'aborted') {
        // Whatever it still does is nobody's business any more.
        next.catch(() => undefined);
        return;
      }
      if (result.done === true) {
        finished = true;
        return;
      }
      yield result.value;
    }
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    // Not awaited: a generator that hangs in its own cleanup must not hang the run.
    if (!finished) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function toAgentEvent(turn: number, event: ModelEvent): AgentEvent | undefined {
  switch (event.kind) {
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
      return { kind: event.kind, turn, index: event.index, text: event.text };
    case 'call-start':
      return { kind: 'call-start', turn, index: event.index, callId: event.callId, name: event.name };
    case 'call-delta':
      return { kind: 'call-delta', turn, index: event.index, delta: event.delta };
    case 'call-end':
      return { kind: 'call-end', turn, index: event.index, callId: event.callId };
    case 'warning':
      return { kind: 'warning', turn, code: event.code, detail: event.detail };
    default:
      return undefined;
  }
}

function sizeOf(event: ModelEvent): number {
  switch (event.kind) {
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
      return event.text.length;
    case 'call-delta':
      return event.delta.length;
    default:
      // An empty event is not free either: an endless stream of them has to end.
      return 64;
  }
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
