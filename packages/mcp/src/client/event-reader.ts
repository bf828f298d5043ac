/** One event of a stream, or comments that stand alone. */
export interface StreamEvent {
  /** All of its lines, without their ends. */
  readonly lines: readonly string[];
  /** `undefined` where it has none, and nobody is told of it. */
  readonly data: string | undefined;
  /** Of all lines in UTF-8 and of the empty one behind them, each with one for its end. */
  readonly bytes: number;
}

/**
 * Gives the events of a stream (HTML, server-sent events) when they are complete. What is held is the event that is
 * not; takes time linear in what comes in.
 */
export class EventReader {
  readonly #decoder = new TextDecoder();
  #line: string[] = [];
  #lines: string[] = [];
  #data: string[] = [];
  #held = 0;
  #afterReturn = false;

  /** Bytes of the event that is not complete. */
  get held(): number {
    return this.#held;
  }

  /** Takes the next piece and gives the events that end in it. */
  *push(piece: Uint8Array): Generator<StreamEvent, void, void> {
    const text = this.#decoder.decode(piece, { stream: true });
    let start = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    const ends = /\r\n?|\n/g;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      this.#hold(text.slice(start, end.index));
      start = ends.lastIndex;
      const event = this.#endLine();
      if (event !== undefined) yield event;
    }
    if (start < text.length) this.#hold(text.slice(start));
  }

  /** What the stream left incomplete at its end. */
  end(): StreamEvent | undefined {
    if (this.#line.length > 0) this.#endLine();
    return this.#endEvent();
  }

  #hold(text: string): void {
    this.#line.push(text);
    this.#held += Buffer.byteLength(text);
  }

  #endLine(): StreamEvent | undefined {
    const line = this.#line.join('');
    this.#line = [];
    this.#held += 1;
    if (line === '') return this.#endEvent();
    this.#lines.push(line);
    if (isData(line)) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
    return undefined;
  }

  #endEvent(): StreamEvent | undefined {
    const lines = this.#lines;
    const data = this.#data;
    const bytes = this.#held;
    this.#lines = [];
    this.#data = [];
    this.#held = 0;
    if (lines.length === 0) return undefined;
    return { lines, data: data.length === 0 ? undefined : data.join('\n'), bytes };
  }
}

/** What an event says: its data, or all of it where a server writes a message into a stream that is no event. */
export function saidBy({ lines, data }: StreamEvent): string | undefined {
  return data ?? (/^\s*[[{]/.test(lines[0] ?? '') ? lines.join('\n') : undefined);
}

/** Whether a line holds data; a field without a colon is one without a value. */
export function isData(line: string): boolean {
  return line === 'data' || line.startsWith('data:');
}
