import type { Clock } from '@toolgate/core';
import type { Loss } from '../codec/loss.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { ModelError } from '../model-error.ts';
import { isPassing } from './connection-error.ts';
import { isPassingWord } from './passing-failure.ts';
import { pause } from './pause.ts';
import type { AnswerRestorer } from './restore-answer.ts';
import { isRetryableStatus, type RetryOptions, retryDelayMs } from './retry.ts';
import { safeError } from './safe-error.ts';
import { createWatchdog, type ModelTimeouts, type Watchdog } from './watchdog.ts';
import { lossWarning } from './with-losses.ts';

/** What one attempt comes to: an answer, whose events come in batches, or a failure before there was one. */
export type Attempt =
  | { readonly kind: 'answer'; readonly batches: AsyncIterable<readonly ModelEvent[]> }
  | FailedAttempt;

/** A failure before there was an answer. */
export interface FailedAttempt {
  readonly kind: 'failure';
  readonly failure: ModelError;
  /** How long the provider wants to be left alone. */
  readonly askedMs: number | undefined;
  /** Whether it wants the request once more, where it says so itself. */
  readonly again: boolean | undefined;
}

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

/** Events without content that are held back before it, so that an answer that fails at once can be asked for again. */
const MAX_HELD = 32;

/**
 * The events of the first attempt that is answered. Only before anything was given is it tried again, also when the
 * answer itself reports a failure that passes; trouble after that is a `response-error`.
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
  let held: ModelEvent[] = [];

  /** The losses of the request, and what was held back. */
  const begin = function* (): Generator<ModelEvent, void, undefined> {
    if (started) return;
    started = true;
    yield* losses.map(lossWarning);
    for (const event of held) yield* restorer.push(event);
  };

  try {
    for (let number = 1; ; number++) {
      let failed: FailedAttempt | undefined;
      held = [];
      try {
        watchdog.expect('its first event', settings.timeouts.firstEventMs);
        const made = await attempt(watchdog);
        if (made.kind === 'failure') {
          failed = made;
          throw made.failure;
        }
        let again: number | undefined;
        answer: for await (const events of made.batches) {
          for (const event of events) {
            if (!started && isBare(event) && held.length < MAX_HELD) {
              held.push(event);
              continue;
            }
            again = started ? undefined : delayAfter(event, number, settings);
            if (again !== undefined) break answer;
            yield* begin();
            for (const own of restorer.push(event)) yield own;
          }
        }
        if (again === undefined) {
          yield* begin();
          return;
        }
        await pause(again, settings.clock, watchdog);
      } catch (error) {
        const failure = total.reason() ?? watchdog.reason() ?? toModelError(error);
        const given = started || held.length > 0;
        const delayMs = given ? undefined : nextDelayMs(failure, number, failed, settings);
        if (delayMs === undefined) throw failure;
        await pause(delayMs, settings.clock, watchdog);
      }
    }
  } catch (error) {
    const failure = safeError(total.reason() ?? toModelError(error), settings.secrets);
    if (!started && held.length === 0) throw failure;
    yield* begin();
    yield* restorer.release();
    yield { kind: 'response-error', code: failure.code, message: failure.message };
  } finally {
    watchdog.release();
    total.release();
  }
}

/** Whether an event gives nothing of the answer itself. */
function isBare({ kind }: ModelEvent): boolean {
  return kind === 'response-start' || kind === 'usage' || kind === 'warning';
}

/** How long to wait after an answer that is a failure which passes; `undefined` for everything else. */
function delayAfter(event: ModelEvent, number: number, settings: AttemptSettings): number | undefined {
  if (event.kind !== 'response-error' || event.providerCode === undefined) return undefined;
  // Faults of the stream itself have a code and no word of the provider.
  const { message, providerCode } = event;
  const failure = new ModelError('model/provider-error', message, { providerCode });
  return nextDelayMs(failure, number, undefined, settings);
}

/** How long to wait before the request is sent again; `undefined` for never. */
function nextDelayMs(
  failure: ModelError,
  number: number,
  failed: FailedAttempt | undefined,
  { retry, random }: AttemptSettings,
): number | undefined {
  if (number >= retry.attempts || !(failed?.again ?? mayPass(failure))) return undefined;
  return retryDelayMs(number, failed?.askedMs, retry, random);
}

function mayPass(failure: ModelError): boolean {
  if (failure.code === 'model/connection-failed') return isPassing(failure);
  if (failure.code === 'model/http-status') return isRetryableStatus(failure.status ?? 0);
  return failure.code === 'model/provider-error' && isPassingWord(failure.providerCode);
}

function toModelError(error: unknown): ModelError {
  if (ModelError.is(error)) return error;
  return new ModelError('model/response-invalid', 'The answer could not be read.', { cause: error });
}
