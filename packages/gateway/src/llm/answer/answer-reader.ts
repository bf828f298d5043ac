import { isAscii } from 'node:buffer';
import { type JsonValue, type ReadJsonOptions, readJson } from '@toolgate/core';
import {
  CALL_UNREAD,
  type Codec,
  ModelError,
  type ModelEvent,
  responseToEvents,
  type UnreadCall,
} from '@toolgate/model';
import { withoutMark } from '../../internal/without-mark.ts';
import type { AnswerStep } from './answer-step.ts';
import { createFrameSplitter } from './frame-splitter.ts';
import { joinBytes } from './join-bytes.ts';
import { unreadCalls } from './unread-calls.ts';

/** Reads the body of one answer. */
export interface AnswerReader {
  /** `'stop'` when it is too large to be read on. */
  push(chunk: Uint8Array): 'stop' | undefined;
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
  const splitter = createFrameSplitter(MAX_EVENT_BYTES);
  const decoder = codec.decodeStream();
  let meaningless = 0;

  const read = (frame: Uint8Array): void => {
    const events = decoder.push(frame);
    meaningless = events.length === 0 ? meaningless + frame.byteLength : 0;
    // Asked each time, as it tells of what came since.
    const misleads = decoder.misleads?.() === true;
    if (raw && !misleads) take({ events, raw: [frame] });
    else if (events.length > 0) take({ events });
  };

  return {
    push(chunk) {
      for (const frame of splitter.push(chunk)) read(frame);
      return meaningless > MAX_EVENT_BYTES ? 'stop' : undefined;
    },
    end() {
      const rest = splitter.end();
      if (rest !== undefined) read(rest);
      const events = decoder.end();
      const passes = raw && decoder.misleads?.() !== true;
      if (events.length > 0) take(passes ? { events, raw: [] } : { events });
    },
  };
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
