import { ignoreThrown } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import type { Loss } from '../codec/loss.ts';
import type { ModelEvent } from '../event/model-event.ts';
import type { Model, ModelRequestOptions } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { encodeBody } from './encode-body.ts';
import { httpError } from './http-error.ts';
import { type HttpModelConfig, type HttpModelSettings, readHttpModelConfig } from './http-model-config.ts';
import { type CallPreparer, createCallPreparer } from './prepare-call.ts';
import { readAnswer } from './read-answer.ts';
import { describeRequest } from './request-shape.ts';
import { retryAfterMs } from './retry.ts';
import { type HttpRequest, sendRequest } from './send-request.ts';
import { stoppable } from './stoppable.ts';
import { type Attempt, streamAttempts } from './stream-attempts.ts';
import { checkSignals, type Watchdog } from './watchdog.ts';

/**
 * A model behind HTTP, spoken to in one of the four protocols. What a provider would refuse for its form is given
 * another one first: history, schemas and tool names, undone in the answer; each change is a `warning` event.
 *
 * A request is sent again only before anything of its answer was given, only after a refused or broken connection, 408,
 * 429 or 5xx, or an answer that begins with the same in the provider's words, and never against `Retry-After` or to an account
 * that the provider calls used up; what the provider says in `x-should-retry` counts more than all of these. A redirect is never
 * followed.
 *
 * @throws ModelError `model/options-invalid` at once; the iterator throws `model/http-status`,
 *   `model/connection-failed`, `model/timeout`, `model/cancelled`, `model/response-invalid`, `model/response-too-large`,
 *   `model/not-encodable` or `model/history-invalid` before the first event.
 */
export function createHttpModel(config: HttpModelConfig): Model {
  const settings = readHttpModelConfig(config);
  const prepare = createCallPreparer(settings);
  return Object.freeze({
    id: `${settings.codec.protocol}:${settings.model}`,
    capabilities: settings.capabilities,
    stream: (call: ModelCall, { signal }: ModelRequestOptions) =>
      stoppable((stopped) => streamCall(call, [signal, stopped], settings, prepare)),
  });
}

async function* streamCall(
  call: ModelCall,
  signals: readonly AbortSignal[],
  settings: HttpModelSettings,
  prepare: CallPreparer,
): AsyncGenerator<ModelEvent, void, undefined> {
  try {
    checkSignals(signals);
    const prepared = prepare(call);
    const wire = settings.codec.encodeRequest({ ...prepared.call, model: settings.model, stream: true });
    const body = encodeBody(wire.value.body);
    const losses = [...prepared.losses, ...wire.losses, ...body.losses];
    if (settings.strict) refuseUnsafe(losses);
    const request = { path: wire.value.path, body: body.text };
    const attempt = (watchdog: Watchdog): Promise<Attempt> =>
      attemptRequest(call, request, settings, watchdog);
    yield* streamAttempts({ signals, losses, restorer: prepared.createRestorer(), attempt }, settings);
  } catch (error) {
    // Of a codec or a clock that throws a promise, by a slip.
    ignoreThrown(error);
    throw error;
  }
}

async function attemptRequest(
  call: ModelCall,
  request: HttpRequest,
  settings: HttpModelSettings,
  watchdog: Watchdog,
): Promise<Attempt> {
  const response = await sendRequest(request, settings, watchdog.signal);
  if (response.ok) return { kind: 'answer', batches: readAnswer(response, settings, watchdog) };
  const headerMs = retryAfterMs(response.headers, settings.clock.now());
  const { failure, askedMs, again } = await httpError(response, {
    secrets: settings.secrets,
    shape: describeRequest(call, request.body.length),
    signal: watchdog.signal,
  });
  return { kind: 'failure', askedMs: headerMs ?? askedMs, again, failure };
}

/** @throws ModelError `model/not-encodable` for a loss that is unsafe. */
export function refuseUnsafe(losses: readonly Loss[]): void {
  const unsafe = losses.find((loss) => loss.severity === 'error');
  if (unsafe === undefined) return;
  throw new ModelError('model/not-encodable', `The call cannot be carried as it is: ${unsafe.detail}.`, {
    pointer: unsafe.path,
  });
}
