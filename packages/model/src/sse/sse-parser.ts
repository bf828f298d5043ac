import { createEventFields } from './event-fields.ts';
import { createLineSplitter } from './line-splitter.ts';
import type { SseFaultCode, SseItem } from './sse-item.ts';
import { createUtf8Reader } from './utf8-reader.ts';

/** Bounds of one event stream. */
export interface SseParserOptions {
  /** Longest line and longest event, in UTF-16 units. Default 16 Mi. */
  readonly maxEventLength?: number;
}

/** Reads one event stream; state of that stream only. */
export interface SseParser {
  /** Takes the next bytes, cut anywhere. Equal streams give equal items, however they are cut. */
  push(bytes: Uint8Array): readonly SseItem[];
  /** Says that the input ended; gives the event that no blank line ended, marked as not terminated. */
  end(): readonly SseItem[];
}

/**
 * Makes a parser of the server-sent-event format: LF, CRLF and CR line ends, one leading byte order mark, comments,
 * data in several lines. Bytes that are not UTF-8 and lines or events over the bound are faults, never replacement
 * characters, and end the stream; the events before them are still given.
 *
 * Two deviations from the standard, both for clients that are no browsers: UTF-8 is decoded fatally, and the event at
 * the end of the input is given (marked) and not discarded.
 *
 * @see WHATWG HTML, section 9.2.6 "Interpreting an event stream".
 */
export function createSseParser(options: SseParserOptions = {}): SseParser {
  const maxLength = options.maxEventLength ?? 16 * 1024 * 1024;
  const utf8 = createUtf8Reader();
  const lines = createLineSplitter(maxLength);
  const fields = createEventFields(maxLength);
  let dead = false;

  const die = (items: SseItem[], code: SseFaultCode): SseItem[] => {
    dead = true;
    items.push(Object.freeze({ kind: 'fault', code }));
    return items;
  };

  const take = (text: string, items: SseItem[]): boolean => {
    const complete = lines.push(text, (line) => {
      const message = fields.line(line);
      if (message === 'too-large') return false;
      if (message !== undefined) items.push(message);
      return true;
    });
    if (!complete) die(items, 'sse/event-too-large');
    return complete;
  };

  return Object.freeze({
    push(bytes: Uint8Array) {
      const items: SseItem[] = [];
      if (dead) return items;
      const { text, valid } = utf8.push(bytes);
      if (valid && text.length <= maxLength && lines.atStart() && fields.atStart()) {
        const data = onlyData(text);
        if (data !== undefined) {
          items.push(fields.whole(data));
          return items;
        }
      }
      if (!take(text, items) || valid) return items;
      return die(items, 'sse/bad-utf8');
    },
    end() {
      const items: SseItem[] = [];
      if (dead) return items;
      dead = true;
      if (!utf8.end()) return die(items, 'sse/bad-utf8');
      const rest = lines.end();
      const message = fields.end(rest);
      if (message === 'too-large') return die(items, 'sse/event-too-large');
      if (message !== undefined) items.push(message);
      return items;
    },
  });
}

/** The data of a text that is one event with one line of data: what comes mostly, where each event comes by itself. */
function onlyData(text: string): string | undefined {
  const end = text.length - 2;
  if (!text.startsWith('data: ') || text.indexOf('\n') !== end || !text.endsWith('\n')) return undefined;
  return text.includes('\r') ? undefined : text.slice(6, end);
}
