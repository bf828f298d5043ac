import type { ModelCall } from '../call/model-call.ts';
import type { Loss } from '../codec/loss.ts';
import type { ModelEvent } from '../event/model-event.ts';
import type { Model, ModelRequestOptions } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { isPassing } from './connection-error.ts';
import { httpError } from './http-error.ts';
import { type HttpModelConfig, type HttpModelSettings, readHttpModelConfig } from './http-model-config.ts';
import { pause } from './pause.ts';
import { type CallPreparer, createCallPreparer } from './prepare-call.ts';
import { readAnswer } from './read-answer.ts';
import { describeRequest } from './request-shape.ts';
import { isRetryableStatus, retryAfterMs, retryDelayMs } from './retry.ts';
import { safeError } from './safe-error.ts';
import { sendRequest } from './send-request.ts';
import { stoppable } from './stoppable.ts';
import { cancelled, createWatchdog } from './watchdog.ts';
import { lossWarning } from './with-losses.ts';

/**
 * A model behind HTTP, spoken to in one of the four protocols. What a provider would refuse for its form is given
 * another one first: schemas, tool names and call ids, undone in the answer; each change is a `warning` event.
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
  if (signals.some(({ aborted }) => aborted)) throw cancelled();
  const prepared = prepare(call);
  refuseUnsafe(prepared.losses, settings.strict);
  const restorer = prepared.createRestorer();
  const request = { path: prepared.wire.path, body: JSON.stringify(prepared.wire.body) };
  const total = createWatchdog(signals, settings.clock);
  total.expect('its whole answer', settings.timeouts.totalMs);
  const watchdog = createWatchdog([total.signal], settings.clock);
  let started = false;
  try {
    for (let attempt = 1; ; attempt++) {
      let askedMs: number | undefined;
      try {
        const response = await sendRequest(request, settings, watchdog);
        if (!response.ok) {
          askedMs = retryAfterMs(response.headers, settings.clock.now());
          throw await httpError(response, {
            secrets: settings.secrets,
            shape: describeRequest(call, request.body),
            signal: watchdog.signal,
          });
        }
        for await (const events of readAnswer(response, settings, watchdog)) {
          if (!started) yield* prepared.losses.map(lossWarning);
          started = true;
          for (const event of events) for (const own of restorer.push(event)) yield own;
        }
        return;
      } catch (error) {
        const failure = total.reason() ?? watchdog.reason() ?? toModelError(error);
        const delayMs = started ? undefined : nextDelayMs(failure, attempt, askedMs, settings);
        if (delayMs === undefined) throw failure;
        await pause(delayMs, settings.clock, watchdog);
      }
    }
  } catch (error) {
    const failure = safeError(total.reason() ?? toModelError(error), settings.secrets);
    if (!started) throw failure;
    yield* restorer.release();
    yield { kind: 'response-error', code: failure.code, message: failure.message };
  } finally {
    watchdog.release();
    total.release();
  }
}

/** How long to wait before the request is sent again; `undefined` for never. */
function nextDelayMs(
  failure: ModelError,
  attempt: number,
  askedMs: number | undefined,
  { retry, random }: HttpModelSettings,
): number | undefined {
  if (attempt >= retry.attempts) return undefined;
  const mayPass =
    failure.code === 'model/connection-failed'
      ? isPassing(failure)
      : failure.code === 'model/http-status' && isRetryableStatus(failure.status ?? 0);
  return mayPass ? retryDelayMs(attempt, askedMs, retry, random) : undefined;
}

function refuseUnsafe(losses: readonly Loss[], strict: boolean): void {
  const unsafe = strict ? losses.find((loss) => loss.severity === 'error') : undefined;
  if (unsafe === undefined) return;
  throw new ModelError('model/not-encodable', `The call cannot be carried as it is: ${unsafe.detail}.`, {
    pointer: unsafe.path,
  });
}

function toModelError(error: unknown): ModelError {
  if (ModelError.is(error)) return error;
  return new ModelError('model/response-invalid', 'The answer could not be read.', { cause: error });
}
