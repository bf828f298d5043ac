import { readJson } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import type { Loss } from '../codec/loss.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import type { Model, ModelRequestOptions } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { exchange } from './http-exchange.ts';
import { type HttpModelConfig, type HttpModelSettings, readHttpModelConfig } from './http-model-config.ts';
import { readBounded } from './read-bounded.ts';
import { redactSecrets } from './redact-secrets.ts';
import { cancelled, createWatchdog, type Watchdog } from './watchdog.ts';

/**
 * A model behind HTTP, spoken to in one of the four protocols.
 *
 * A request is sent again only before its first event, only after a refused or broken connection, 408, 429 or 5xx,
 * and never against `Retry-After`. A redirect is never followed.
 *
 * @throws ModelError `model/options-invalid` at once; the iterator throws `model/http-status`,
 *   `model/connection-failed`, `model/timeout`, `model/cancelled`, `model/response-invalid`, `model/response-too-large`
 *   or `model/not-encodable` before the first event.
 */
export function createHttpModel(config: HttpModelConfig): Model {
  const settings = readHttpModelConfig(config);
  return Object.freeze({
    id: `${settings.codec.protocol}:${settings.model}`,
    capabilities: settings.capabilities,
    stream: (call: ModelCall, options: ModelRequestOptions) => streamCall(call, options, settings),
  });
}

async function* streamCall(
  call: ModelCall,
  { signal }: ModelRequestOptions,
  settings: HttpModelSettings,
): AsyncGenerator<ModelEvent, void, undefined> {
  if (signal.aborted) throw cancelled();
  const wire = settings.codec.encodeRequest({ ...call, model: settings.model, stream: true });
  refuseUnsafe(wire.losses, settings.strict);
  const body = JSON.stringify(wire.value.body);
  const total = createWatchdog(signal, settings.clock);
  total.expect('its whole answer', settings.timeouts.totalMs);
  const watchdog = createWatchdog(total.signal, settings.clock);
  const reason = (): ModelError | undefined => total.reason() ?? watchdog.reason();
  let started = false;
  try {
    const request = { path: wire.value.path, body, accept: 'text/event-stream, application/json' };
    const response = await exchange(request, settings, watchdog);
    for await (const event of responseEvents(response, settings, watchdog)) {
      if (!started) yield* wire.losses.map(lossWarning);
      started = true;
      yield event;
    }
  } catch (error) {
    const failure = reason() ?? (ModelError.is(error) ? error : brokenStream(error));
    if (!started) throw failure;
    yield { kind: 'response-error', code: failure.code, message: failure.message };
  } finally {
    watchdog.release();
    total.release();
  }
}

async function* responseEvents(
  response: Response,
  settings: HttpModelSettings,
  watchdog: Watchdog,
): AsyncGenerator<ModelEvent, void, undefined> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream' || type === '') yield* streamedEvents(response, settings, watchdog);
  else if (type === 'application/json') yield* wholeEvents(response, settings);
  else {
    await response.body?.cancel();
    throw new ModelError('model/response-invalid', 'the address answers, but not as a model: check baseUrl', {
      status: response.status,
    });
  }
}

async function* streamedEvents(
  response: Response,
  settings: HttpModelSettings,
  watchdog: Watchdog,
): AsyncGenerator<ModelEvent, void, undefined> {
  const decoder = settings.codec.decodeStream();
  const reader = response.body?.getReader();
  let size = 0;
  let started = false;
  // Losses are told just before the terminal event: after it nothing may come.
  const finished = function* (events: readonly ModelEvent[]): Generator<ModelEvent> {
    for (const event of events) {
      started = true;
      if (event.kind === 'response-end' || event.kind === 'response-error')
        yield* decoder.losses.map(lossWarning);
      yield safeEvent(event, settings.secrets);
    }
  };
  try {
    while (reader !== undefined) {
      watchdog.expect(
        'its next event',
        started ? settings.timeouts.betweenEventsMs : settings.timeouts.firstEventMs,
      );
      const { done, value } = await reader.read();
      // The consumer's own time is not the model's silence.
      watchdog.expect('its next event', 'none');
      if (done) break;
      size += value.byteLength;
      if (size > settings.maxResponseBytes) {
        throw new ModelError(
          'model/response-too-large',
          `the response has more than ${settings.maxResponseBytes} bytes`,
        );
      }
      yield* finished(decoder.push(value));
    }
    yield* finished(decoder.end());
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

/** A server that does not stream gives the same events from its whole answer. */
async function* wholeEvents(
  response: Response,
  settings: HttpModelSettings,
): AsyncGenerator<ModelEvent, void, undefined> {
  const bytes = await readBounded(response.body, settings.maxResponseBytes);
  let body: ReturnType<typeof readJson>;
  try {
    body = readJson(bytes, { maxBytes: 'none', inexactIntegers: 'allow', noncharacters: 'allow' });
  } catch (cause) {
    throw new ModelError('model/response-invalid', 'the answer is not one JSON text', {
      status: response.status,
      cause,
    });
  }
  const decoded = settings.codec.decodeResponse(body);
  for (const event of responseToEvents(decoded.value)) yield safeEvent(event, settings.secrets);
}

function safeEvent(event: ModelEvent, secrets: readonly string[]): ModelEvent {
  return event.kind === 'response-error'
    ? { ...event, message: redactSecrets(event.message, secrets) }
    : event;
}

function refuseUnsafe(losses: readonly Loss[], strict: boolean): void {
  const unsafe = strict ? losses.find((loss) => loss.severity === 'error') : undefined;
  if (unsafe === undefined) return;
  throw new ModelError('model/not-encodable', `the call cannot be carried as it is: ${unsafe.detail}`, {
    pointer: unsafe.path,
  });
}

function lossWarning(loss: Loss): ModelEvent {
  return { kind: 'warning', code: `loss/${loss.code}`, detail: `${loss.path}: ${loss.detail}` };
}

function brokenStream(cause: unknown): ModelError {
  return new ModelError('model/stream-incomplete', 'the connection broke before the answer was finished', {
    cause,
  });
}
