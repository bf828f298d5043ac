import type { FetchLike } from '@modelcontextprotocol/client';
import { McpError } from '../mcp-error.ts';
import { ambiguousMessage } from './ambiguous-message.ts';
import { EventTexts } from './event-texts.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * A `fetch` whose answers cannot fill the memory: a stream of events may be endless, but each event is bounded, and so
 * is every other body. Reading fails, too, where a message is ambiguous.
 *
 * @param maxBytes - Bytes of one event or of one other body. Beyond, reading fails with `mcp/message-too-large`.
 * @param onRefused - Told before, since who reads a stream does not always say why that failed.
 */
export function boundFetch(
  fetch: FetchLike,
  maxBytes: number,
  onRefused: (error: McpError) => void,
): FetchLike {
  const refuse = (error: McpError, controller: TransformStreamDefaultController<Uint8Array>): void => {
    onRefused(error);
    controller.error(error);
  };
  return async (url, init) => {
    const response = await fetch(url, init);
    // Other states are refused by the constructor; such answers have no body to speak of.
    if (
      response.body === null ||
      response.status < 200 ||
      response.status === 204 ||
      response.status === 205
    ) {
      return response;
    }
    const { status, statusText, headers } = response;
    if (status === 304) return response;
    const type = (headers.get('content-type') ?? '').trimStart().toLowerCase();
    const isEvents = type.startsWith('text/event-stream');
    const meter = isEvents ? eventMeter() : totalMeter();
    const messages = isEvents ? new EventTexts() : new WholeText();
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          const error = meter(piece) <= maxBytes ? firstFault(messages.push(piece)) : tooLarge(maxBytes);
          if (error === undefined) controller.enqueue(piece);
          else refuse(error, controller);
        },
        flush(controller) {
          const error = messages instanceof WholeText ? ambiguousMessage(messages.text()) : undefined;
          if (error !== undefined) refuse(error, controller);
        },
      }),
    );
    return new Response(bounded, { status, statusText, headers });
  };
}

function firstFault(texts: Iterable<string>): McpError | undefined {
  for (const text of texts) {
    const error = ambiguousMessage(text);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** A body that is one message, which is there when it has ended. */
class WholeText {
  readonly #pieces: Uint8Array[] = [];

  push(piece: Uint8Array): readonly string[] {
    this.#pieces.push(piece);
    return [];
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}

function tooLarge(maxBytes: number): McpError {
  return new McpError('mcp/message-too-large', `A message of the server has more than ${maxBytes} bytes.`);
}

/** Bytes so far. */
function totalMeter(): (piece: Uint8Array) => number {
  let total = 0;
  return (piece) => {
    total += piece.byteLength;
    return total;
  };
}

/** The largest number of bytes between two empty lines that the piece adds to. */
function eventMeter(): (piece: Uint8Array) => number {
  let event = 0;
  /** Whether the present line has held nothing but perhaps a carriage return. */
  let blank = true;
  return (piece) => {
    let largest = 0;
    let start = 0;
    while (start < piece.byteLength) {
      const end = piece.indexOf(LINE_FEED, start);
      const stop = end < 0 ? piece.byteLength : end + 1;
      const content = (end < 0 ? stop : end) - start;
      blank &&= content === 0 || (content === 1 && piece[start] === CARRIAGE_RETURN);
      event += stop - start;
      largest = Math.max(largest, event);
      if (end >= 0) {
        if (blank) event = 0;
        blank = true;
      }
      start = stop;
    }
    return largest;
  };
}
