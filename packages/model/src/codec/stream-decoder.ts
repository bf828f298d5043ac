import { JsonError, type JsonValue, type ReadJsonOptions, readJson } from '@toolgate/core';
import type { ModelEvent } from '../event/model-event.ts';
import { createResponseWriter, type ResponseWriter } from '../event/response-writer.ts';
import { ModelError } from '../model-error.ts';
import type { SseItem, SseMessage } from '../sse/sse-item.ts';
import { createSseParser, type SseParser } from '../sse/sse-parser.ts';
import type { StreamDecoder, StreamDecoderOptions, StreamEnding } from './codec.ts';
import type { Loss } from './loss.ts';
import { createLossLog, type LossLog } from './loss-log.ts';

/** What one protocol does with the messages of its stream. A ModelError it throws ends the answer as failed. */
export interface StreamHandler {
  /** Takes one decoded `data` text. `event` is the event's name, `''` without one. */
  message(data: JsonValue, event: string): void;
  /** Takes a `[DONE]`, where the protocol has one. */
  done?(): void;
  /** The input ended; finishes the answer if it is known to be whole. */
  end(): void;
  /** @see StreamDecoder.misleads */
  misleads?(): boolean;
  /** Whether a message that gave no event is certainly no call and no part of one. */
  isAside?(data: JsonValue, event: string): boolean;
  /** @see StreamDecoder.ending */
  ending?(): StreamEnding;
}

const DEFAULT_TOTAL_LENGTH = 64 * 1024 * 1024;
const LENIENT: ReadJsonOptions = Object.freeze({
  maxBytes: 'none',
  maxDepth: 256,
  noncharacters: 'allow',
  inexactIntegers: 'allow',
});

/**
 * Makes a stream decoder out of a protocol's handler: server-sent events in, strict JSON, legal events out. After the
 * terminal event everything is ignored. Data that is not JSON, bytes that are not UTF-8 and texts over the bounds end
 * the answer with a failure; nothing is skipped but events without data, by which proxies keep a connection alive.
 */
export function createStreamDecoder(
  options: StreamDecoderOptions | undefined,
  createHandler: (writer: ResponseWriter, losses: LossLog) => StreamHandler,
): StreamDecoder {
  return Object.freeze(new Decoder(options, createHandler));
}

class Decoder implements StreamDecoder {
  readonly losses: readonly Loss[];
  readonly #parser: SseParser;
  readonly #writer: ResponseWriter;
  readonly #handler: StreamHandler;
  /** `undefined` where nothing came with the last bytes. */
  #isAside: boolean | undefined = undefined;

  constructor(
    options: StreamDecoderOptions | undefined,
    createHandler: (writer: ResponseWriter, losses: LossLog) => StreamHandler,
  ) {
    const losses = createLossLog();
    this.losses = losses.losses;
    this.#parser = createSseParser(options);
    this.#writer = createResponseWriter(options?.maxTotalLength ?? DEFAULT_TOTAL_LENGTH);
    this.#handler = createHandler(this.#writer, losses);
  }

  push(bytes: Uint8Array): readonly ModelEvent[] {
    this.#isAside = undefined;
    this.#takeAll(this.#parser.push(bytes));
    return this.#writer.take();
  }

  end(): readonly ModelEvent[] {
    this.#takeAll(this.#parser.end());
    this.#finish();
    this.#writer.fail('model/stream-incomplete', 'The stream ended before the answer did.');
    return this.#writer.take();
  }

  isAside(): boolean {
    return this.#isAside === true;
  }

  ending(): StreamEnding {
    return this.#writer.ended ? 'no' : (this.#handler.ending?.() ?? 'no');
  }

  misleads(): boolean {
    const strays = this.#parser.strays();
    return this.#handler.misleads?.() === true || strays;
  }

  #takeAll(items: readonly SseItem[]): void {
    for (const item of items) {
      try {
        this.#take(item);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  #take(item: SseItem): void {
    if (this.#writer.ended) return;
    if (item.kind === 'fault') {
      const tooLarge = item.code === 'sse/event-too-large';
      throw tooLarge
        ? new ModelError('model/response-too-large', 'An event of the stream is too large.')
        : new ModelError('model/stream-invalid', 'The stream is not UTF-8.');
    }
    const data = item.data.trim();
    if (data === '') return;
    if (data === '[DONE]') this.#handler.done?.();
    else this.#message(item);
  }

  #message(item: SseMessage): void {
    const data = readData(item);
    this.#handler.message(data, item.event);
    if (this.#isAside === false) return;
    this.#isAside = this.#writer.isSilent && this.#handler.isAside?.(data, item.event) === true;
    // It is kept where something before it waits.
    if (this.#isAside) this.#writer.hold(item.data);
  }

  #finish(): void {
    try {
      if (!this.#writer.ended) this.#handler.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const failure = toFailure(error);
    this.#writer.fail(failure.code, failure.message);
  }
}

function readData(message: SseMessage): JsonValue {
  try {
    // The text is bounded already; its members are looked up by known names only.
    return readJson(message.data, LENIENT);
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    throw message.terminated
      ? new ModelError('model/stream-invalid', `An event of the stream is not JSON (${error.code}).`, {
          cause: error,
        })
      : new ModelError('model/stream-incomplete', 'The stream ended inside an event.', { cause: error });
  }
}

function toFailure(error: unknown): ModelError {
  if (ModelError.is(error)) return error;
  return new ModelError('model/stream-invalid', 'The stream could not be read.', { cause: error });
}
