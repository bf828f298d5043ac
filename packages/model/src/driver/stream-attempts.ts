import type { Clock } from '@toolgate/core';
import type { Loss } from '../codec/loss.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { ModelError } from '../model-error.ts';
import { isPassing } from './connection-error.ts';
import { pause } from './pause.ts';
import type { AnswerRestorer } from './restore-answer.ts';
import { isRetryableStatus, type RetryOptions, retryDelayMs } from './retry.ts';
import { safeError } from './safe-error.ts';
import { createWatchdog, type ModelTimeouts, type Watchdog } from './watchdog.ts';
import { lossWarning } from './with-losses.ts';

/** What one attempt comes to: an answer, whose events come in batches, or a failure before there was one. */
export type Attempt =
  | { readonly kind: 'answer'; readonly batches: AsyncIterable<readonly ModelEvent[]> }
  /** `askedMs` is how long the provider wants to be left alone. */
  | { readonly kind: 'failure'; readonly failure: ModelError; readonly askedMs: number | undefined };

/** How attempts are made. */
export interface AttemptSettings {
  readonly timeouts: Required<ModelTimeouts>;
  readonly retry: Required<RetryOptions>;
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
}

/** One call whose attempts are made. */
export interface AttemptedCall {
  /** Each of them ends the call. */
  readonly signals: readonly AbortSignal[];
  /** Told as warnings before the first event. */
  readonly losses: readonly Loss[];
  readonly restorer: AnswerRestorer;
  /** Starts one attempt. What it throws is a failure, too. */
  readonly attempt: (watchdog: Watchdog) => Promise<Attempt>;
}

/**
 * The events of the first attempt that is answered. Only before the first event is anything tried again; trouble after
 * it is a `response-error`.
 *
 * @throws ModelError before the first event.
 */
export async function* streamAttempts(
  { signals, losses, restorer, attempt }: AttemptedCall,
  settings: AttemptSettings,
): AsyncGenerator<ModelEvent, void, undefined> {
  const total = createWatchdog(signals, settings.clock);
  total.expect('its whole answer', settings.timeouts.totalMs);
  const watchdog = createWatchdog([total.signal], settings.clock);
  let started = false;
  try {
    for (let number = 1; ; number++) {
      let askedMs: number | undefined;
      try {
        watchdog.expect('its first event', settings.timeouts.firstEventMs);
        const made = await attempt(watchdog);
        if (made.kind === 'failure') {
          askedMs = made.askedMs;
          throw made.failure;
        }
        for await (const events of made.batches) {
          if (!started) yield* losses.map(lossWarning);
          started = true;
          for (const event of events) for (const own of restorer.push(event)) yield own;
        }
        return;
      } catch (error) {
        const failure = total.reason() ?? watchdog.reason() ?? toModelError(error);
        const delayMs = started ? undefined : nextDelayMs(failure, number, askedMs, settings);
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
  number: number,
  askedMs: number | undefined,
  { retry, random }: AttemptSettings,
): number | undefined {
  if (number >= retry.attempts) return undefined;
  const mayPass =
    failure.code === 'model/connection-failed'
      ? isPassing(failure)
      : failure.code === 'model/http-status' && isRetryableStatus(failure.status ?? 0);
  return mayPass ? retryDelayMs(number, askedMs, retry, random) : undefined;
}

function toModelError(error: unknown): ModelError {
  if (ModelError.is(error)) return error;
  return new ModelError('model/response-invalid', 'The answer could not be read.', { cause: error });
}
