/**
 * Gives the data of each event of a stream (HTML, server-sent events) when it is complete. What is held is the event
 * that is not; takes time linear in what comes in.
 */
export class EventTexts {
  readonly #decoder = new TextDecoder();
  #line: string[] = [];
  #data: string[] = [];
  #afterReturn = false;

  /** Takes the next piece and gives the data of the events that end in it. */
  *push(piece: Uint8Array): Generator<string, void, void> {
    const text = this.#decoder.decode(piece, { stream: true });
    let start = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    const ends = /\r\n?|\n/g;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      this.#line.push(text.slice(start, end.index));
      start = ends.lastIndex;
      const event = this.#take(this.#line.join(''));
      this.#line = [];
      if (event !== undefined) yield event;
    }
    if (start < text.length) this.#line.push(text.slice(start));
  }

  #take(line: string): string | undefined {
    if (line === '') {
      const data = this.#data;
      this.#data = [];
      return data.length === 0 ? undefined : data.join('\n');
    }
    if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
    return undefined;
  }
}
