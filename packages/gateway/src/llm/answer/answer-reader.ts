import { isAscii } from 'node:buffer';
import { type JsonValue, type ReadJsonOptions, readJson } from '@toolgate/core';
import {
  CALL_UNREAD,
  type Codec,
  ModelError,
  type ModelEvent,
  responseToEvents,
  type StreamDecoder,
  type StreamEnding,
  type UnreadCall,
} from '@toolgate/model';
import { withoutMark } from '../../internal/without-mark.ts';
import type { AnswerStep } from './answer-step.ts';
import { createFrameSplitter, type FrameSplitter } from './frame-splitter.ts';
import { joinBytes } from './join-bytes.ts';
import { unreadCalls } from './unread-calls.ts';

/** Reads the body of one answer. */
export interface AnswerReader {
  /** `'stop'` when it is too large to be read on. */
  push(chunk: Uint8Array): 'stop' | undefined;
  /** Whether nothing but the end is missing, which some providers never send. */
  ending?(): StreamEnding;
  end(): void;
}

const MAX_EVENT_BYTES = 16 * 1024 * 1024;
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
/** What is passed on as it came may be less than well made. */
const LENIENT: ReadJsonOptions = Object.freeze({
  maxBytes: 'none',
  maxDepth: 256,
  noncharacters: 'allow',
  inexactIntegers: 'allow',
});

/**
 * Makes the reader of a streamed answer: event by event, each with its own bytes where they may be passed on. Bytes
 * without meaning in a row are bounded like one event.
 */
export function createStreamReader(
  codec: Codec,
  raw: boolean,
  take: (step: AnswerStep) => void,
): AnswerReader {
  return new StreamReader(codec, raw, take);
}

class StreamReader implements AnswerReader {
  readonly #splitter: FrameSplitter = createFrameSplitter(MAX_EVENT_BYTES);
  readonly #decoder: StreamDecoder;
  readonly #raw: boolean;
  readonly #take: (step: AnswerStep) => void;
  #meaningless = 0;

  constructor(codec: Codec, raw: boolean, take: (step: AnswerStep) => void) {
    this.#decoder = codec.decodeStream();
    this.#raw = raw;
    this.#take = take;
  }

  push(chunk: Uint8Array): 'stop' | undefined {
    for (const frame of this.#splitter.push(chunk)) this.#read(frame);
    return this.#meaningless > MAX_EVENT_BYTES ? 'stop' : undefined;
  }

  ending(): StreamEnding {
    return this.#decoder.ending?.() ?? 'no';
  }

  end(): void {
    const rest = this.#splitter.end();
    if (rest !== undefined) this.#read(rest);
    const events = this.#decoder.end();
    const passes = this.#raw && this.#decoder.misleads?.() !== true;
    if (events.length > 0) this.#take(passes ? { events, raw: [] } : { events });
  }

  #read(frame: Uint8Array): void {
    const events = this.#decoder.push(frame);
    const isAside = events.length === 0 && this.#decoder.isAside?.() === true;
    if (events.length > 0) this.#meaningless = 0;
    // What is aside counts for the length of the answer.
    else if (!isAside) this.#meaningless += frame.byteLength;
    // Asked each time, as it tells of what came since.
    const misleads = this.#decoder.misleads?.() === true;
    if (this.#raw && !misleads)
      this.#take(isAside ? { events, raw: [frame], isAside } : { events, raw: [frame] });
    else if (events.length > 0) this.#take({ events });
  }
}

/** Makes the reader of an answer that is not streamed. What cannot be read gives no step at all. */
export function createWholeReader(
  codec: Codec,
  raw: boolean,
  take: (step: AnswerStep) => void,
): AnswerReader {
  /** Mostly one, for which a list that can grow would be made too large. */
  let chunks: Uint8Array[] | undefined;
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.byteLength;
      if (bytes > MAX_WHOLE_BYTES) return 'stop';
      if (chunks === undefined) chunks = [chunk];
      else chunks.push(chunk);
      return undefined;
    },
    end() {
      if (bytes > MAX_WHOLE_BYTES) return;
      const body = joinBytes(chunks ?? []);
      const answer = answerOf(codec, body);
      if (answer === undefined) return;
      const { deniesCalls, events } = answer;
      take(raw && !deniesCalls ? { events, raw: [body] } : { events });
    },
  };
}

interface WholeAnswer {
  readonly events: AnswerStep['events'];
  /** Whether it holds calls and a word for its end that speaks of none, by which clients never run them. */
  readonly deniesCalls: boolean;
}

function answerOf(codec: Codec, body: Uint8Array): WholeAnswer | undefined {
  try {
    const value: JsonValue = readJson(textOf(body), LENIENT);
    const { losses, value: response } = codec.decodeResponse(value);
    const events = responseToEvents(response);
    const calls = losses.length === 0 ? [] : unreadCalls(codec.protocol, value, losses);
    const deniesCalls =
      response.finish === 'tool-calls' &&
      DENIALS.has(response.finishDetail ?? '') &&
      losses.every(({ path }) => !path.endsWith('/function_call'));
    return { events: calls.length === 0 ? events : [unreadWarning(calls), ...events], deniesCalls };
  } catch (error) {
    if (ModelError.is(error) && error.code === 'model/provider-error') {
      return { events: [reportedError(error)], deniesCalls: false };
    }
    // Neither JSON nor an answer of the protocol; what is wrong with it is the provider's affair.
    return undefined;
  }
}

/** Words of Chat Completions and of Anthropic; the others have one word for an end with calls and without. */
const DENIALS: ReadonlySet<string> = new Set(['stop', 'end_turn', 'stop_sequence']);

/** Nearly every answer is ASCII, which Node finds out and reads in a fraction of the time of a strict decoder. */
function textOf(body: Uint8Array): Uint8Array | string {
  return Buffer.isBuffer(body) && isAscii(body) ? body.toString('latin1') : withoutMark(body);
}

function reportedError({ code, message, providerCode }: ModelError): ModelEvent {
  return {
    kind: 'response-error',
    code,
    message,
    ...(providerCode === undefined ? {} : { providerCode }),
  };
}

function unreadWarning(calls: readonly UnreadCall[]): ModelEvent {
  return { kind: 'warning', code: CALL_UNREAD, detail: 'calls that have no events', calls };
}
