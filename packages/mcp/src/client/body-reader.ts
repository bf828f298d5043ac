import { McpError } from '../mcp-error.ts';
import type { Asked } from './asked-by.ts';
import { EventReader, type StreamEvent, saidBy } from './event-reader.ts';
import { mendBody, mendEvent } from './mend-body.ts';

/** A body on its way to the SDK. */
export interface BodyReader {
  readonly push: (piece: Uint8Array) => Iterable<Uint8Array>;
  readonly end: () => Iterable<Uint8Array>;
}

const ENCODER = new TextEncoder();
const BYTE_ORDER_MARK = '\ufeff';

/**
 * A body that is one text, which is there when it has ended.
 *
 * @throws {@link McpError} `mcp/message-too-large`, `mcp/result-invalid` while it is read; so does `eventBody`.
 */
export function wholeBody(maxBytes: number, asked: Asked | undefined): BodyReader {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    push: (piece) => {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      pieces.push(piece);
      return [];
    },
    end: () => {
      const mended = mendBody(new TextDecoder().decode(Buffer.concat(pieces)), asked);
      return mended === undefined ? pieces : [ENCODER.encode(mended)];
    },
  };
}

/**
 * A stream of events, of which each is given on when it is complete.
 *
 * @param onAnswer - Told when the answer to the request of the stream was given on.
 */
export function eventBody(
  maxBytes: number,
  asked: Asked | undefined,
  onRefused: (error: McpError) => void,
  onAnswer: () => void,
): BodyReader {
  const events = new EventReader();
  const mend = (event: StreamEvent): Uint8Array => {
    if (event.bytes > maxBytes) throw tooLarge(maxBytes);
    const { text, isAnswer } = mendEvent(event, asked, onRefused);
    if (isAnswer) onAnswer();
    // At the head of what is given on, a mark would be left out, and what stands behind it read as another field.
    return ENCODER.encode(text.startsWith(BYTE_ORDER_MARK) ? `\n${text}` : text);
  };
  return {
    *push(piece) {
      for (const event of events.push(piece)) yield mend(event);
      if (events.held > maxBytes) throw tooLarge(maxBytes);
    },
    *end() {
      // What says all that it says is whole, whether the empty line behind it came or not.
      const event = events.end();
      if (event !== undefined && isWhole(event)) yield mend(event);
    },
  };
}

function isWhole(event: StreamEvent): boolean {
  const said = (saidBy(event) ?? '').trim();
  return said.startsWith('{') && said.endsWith('}');
}

function tooLarge(maxBytes: number): McpError {
  return new McpError('mcp/message-too-large', `A message of the server has more than ${maxBytes} bytes.`);
}
