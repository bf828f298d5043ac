import { createEventFields, type EventFields } from './event-fields.ts';
import { createLineSplitter, type LineSplitter } from './line-splitter.ts';
import type { SseFaultCode, SseItem } from './sse-item.ts';
import { createUtf8Reader, type Utf8Reader } from './utf8-reader.ts';

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
  /**
   * Whether lines came since it was asked last which readers less exact than this one take for other events: a field that
   * is nearly called `data`, a comment that holds one, an event whose data is in several lines.
   */
  strays(): boolean;
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
  return Object.freeze(new Parser(options.maxEventLength ?? 16 * 1024 * 1024));
}

class Parser implements SseParser {
  readonly #maxLength: number;
  readonly #utf8: Utf8Reader = createUtf8Reader();
  readonly #lines: LineSplitter;
  readonly #fields: EventFields;
  #dead = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    this.#lines = createLineSplitter(maxLength);
    this.#fields = createEventFields(maxLength);
  }

  push(bytes: Uint8Array): readonly SseItem[] {
    if (this.#dead) return [];
    const { text, valid } = this.#utf8.push(bytes);
    if (valid && text.length <= this.#maxLength && this.#lines.atStart() && this.#fields.atStart()) {
      const data = onlyData(text);
      // Not a list that can grow: there is one for each event of nearly every stream.
      if (data !== undefined) return [this.#fields.whole(data)];
    }
    const items: SseItem[] = [];
    if (!this.#take(text, items) || valid) return items;
    return this.#die(items, 'sse/bad-utf8');
  }

  end(): readonly SseItem[] {
    const items: SseItem[] = [];
    if (this.#dead) return items;
    this.#dead = true;
    if (!this.#utf8.end()) return this.#die(items, 'sse/bad-utf8');
    const rest = this.#lines.end();
    const message = this.#fields.end(rest);
    if (message === 'too-large') return this.#die(items, 'sse/event-too-large');
    if (message !== undefined) items.push(message);
    return items;
  }

  strays(): boolean {
    return this.#fields.strays();
  }

  #take(text: string, items: SseItem[]): boolean {
    const complete = this.#lines.push(text, (line) => {
      const message = this.#fields.line(line);
      if (message === 'too-large') return false;
      if (message !== undefined) items.push(message);
      return true;
    });
    if (!complete) this.#die(items, 'sse/event-too-large');
    return complete;
  }

  #die(items: SseItem[], code: SseFaultCode): SseItem[] {
    this.#dead = true;
    items.push(Object.freeze({ kind: 'fault', code }));
    return items;
  }
}

/** The data of a text that is one event with one line of data: what comes mostly, where each event comes by itself. */
function onlyData(text: string): string | undefined {
  const end = text.length - 2;
  if (!text.startsWith('data: ') || text.indexOf('\n') !== end || !text.endsWith('\n')) return undefined;
  return text.includes('\r') ? undefined : text.slice(6, end);
}
