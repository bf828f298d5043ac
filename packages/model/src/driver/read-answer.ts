import { ignoreThrown, readJson } from '@toolgate/core';
import type { StreamEnding } from '../codec/codec.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { ModelError } from '../model-error.ts';
import { connectionError } from './connection-error.ts';
import type { HttpModelSettings } from './http-model-config.ts';
import { closeReader, readBounded } from './read-bounded.ts';
import { untilAborted } from './until-aborted.ts';
import type { Watchdog } from './watchdog.ts';
import { isTerminal, withLosses } from './with-losses.ts';

/** How long the end of a body is waited for after the end of the answer, so that its connection can be used again. */
const LAST_BYTES_MS = 100;
/** How long the end of an answer is waited for that lacks nothing else: some servers never close it. */
const LAST_WAIT_MS = 5_000;
const MAX_JSON_DEPTH = 256;

/**
 * The events of an answer with success, streamed or whole, as they come together off the wire. Reads no further than it is asked; ending it early closes
 * the connection.
 *
 * @throws ModelError for what is no answer of the protocol, and for a connection that breaks.
 */
export async function* readAnswer(
  response: Response,
  settings: HttpModelSettings,
  watchdog: Watchdog,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream' || type === '') yield* streamedEvents(response, settings, watchdog);
  else if (type === 'application/json') yield* wholeEvents(response, settings, watchdog);
  else {
    closeReader(response.body?.getReader());
    throw new ModelError(
      'model/response-invalid',
      'The address answers, but not as a model: check baseUrl.',
      {
        status: response.status,
      },
    );
  }
}

async function* streamedEvents(
  { body }: Response,
  settings: HttpModelSettings,
  watchdog: Watchdog,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const decoder = settings.codec.decodeStream();
  const reader = body?.getReader();
  let size = 0;
  let started = false;
  let whole = false;
  let expected: StreamEnding = 'no';
  try {
    while (reader !== undefined) {
      // The wait for the first event goes on from the request; bytes that are no event do not prolong it.
      const ending = decoder.ending?.() ?? 'no';
      if (started && (ending === 'no' || ending !== expected))
        watchdog.expect('its next event', waitFor(ending, settings));
      expected = ending;
      const next = await untilAborted(reader.read(), watchdog.signal).catch((cause: unknown) => {
        if (ending !== 'no' && watchdog.reason()?.code === 'model/timeout') return undefined;
        throw started ? brokenStream(cause) : connectionError(cause);
      });
      if (next === undefined || next.done) break;
      const { value } = next;
      size += value.byteLength;
      if (size > settings.maxResponseBytes) throw tooLarge(settings.maxResponseBytes);
      const events = decoder.push(value);
      if (events.length === 0) continue;
      started = true;
      expected = 'no';
      // The consumer's own time is not the model's silence.
      watchdog.expect('its next event', 'none');
      yield withLosses(events, decoder.losses, settings.secrets);
      if (!events.some(isTerminal)) continue;
      whole = true;
      return;
    }
    watchdog.expect('its next event', 'none');
    yield withLosses(decoder.end(), decoder.losses, settings.secrets);
  } finally {
    if (whole && reader !== undefined) await readLast(reader, settings);
    closeReader(reader);
  }
}

/** A server that does not stream gives the same events from its whole answer. */
async function* wholeEvents(
  response: Response,
  settings: HttpModelSettings,
  watchdog: Watchdog,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const bounds = { maxBytes: settings.maxResponseBytes, signal: watchdog.signal };
  const bytes = await readBounded(response.body, bounds).catch((cause: unknown) => {
    throw connectionError(cause);
  });
  watchdog.expect('its next event', 'none');
  let body: ReturnType<typeof readJson>;
  try {
    body = readJson(withoutMark(bytes), {
      maxBytes: 'none',
      maxDepth: MAX_JSON_DEPTH,
      inexactIntegers: 'allow',
      noncharacters: 'allow',
    });
  } catch (cause) {
    throw new ModelError('model/response-invalid', 'The answer is not one JSON text.', {
      status: response.status,
      cause,
    });
  }
  const { value, losses } = settings.codec.decodeResponse(body);
  yield withLosses(responseToEvents(value), losses, settings.secrets);
}

async function readLast(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { clock }: HttpModelSettings,
): Promise<void> {
  let timer: unknown;
  const late = new Promise<void>((resolve) => {
    timer = clock.setTimer(resolve, LAST_BYTES_MS);
  });
  const last = reader.read().then(() => undefined, ignoreThrown);
  await Promise.race([last, late]);
  clock.clearTimer(timer);
}

function waitFor(
  ending: StreamEnding,
  { timeouts: { betweenEventsMs } }: HttpModelSettings,
): number | 'none' {
  if (ending !== 'certain') return betweenEventsMs;
  return betweenEventsMs === 'none' ? LAST_WAIT_MS : Math.min(betweenEventsMs, LAST_WAIT_MS);
}

function tooLarge(maxBytes: number): ModelError {
  return new ModelError('model/response-too-large', `The answer has more than ${maxBytes} bytes.`);
}

function brokenStream(cause: unknown): ModelError {
  if (ModelError.is(cause)) return cause;
  return new ModelError('model/stream-incomplete', 'The connection broke before the answer was finished.', {
    cause,
  });
}

/** A JSON text without the mark of its byte order, which RFC 8259, section 8.1, lets us skip; streams may begin with it, too. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
