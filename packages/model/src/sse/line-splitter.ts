/** Cuts text that arrives in pieces into lines. */
export interface LineSplitter {
  /**
   * Gives each complete line to `take`, without its end, until `take` answers false.
   *
   * @returns False when `take` stopped it or a line is over the bound.
   */
  push(text: string, take: (line: string) => boolean): boolean;
  /** Whether the next character begins a line. */
  atStart(): boolean;
  /** The last line, which nothing ended; `''` when there is none. */
  end(): string;
}

/** Makes a splitter for LF, CRLF and CR, each possibly cut in two. */
export function createLineSplitter(maxLength: number): LineSplitter {
  return new Splitter(maxLength);
}

class Splitter implements LineSplitter {
  readonly #maxLength: number;
  #open = '';
  #afterReturn = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  push(text: string, take: (line: string) => boolean): boolean {
    let start = 0;
    if (this.#afterReturn && text !== '') {
      this.#afterReturn = false;
      if (text.startsWith('\n')) start = 1;
    }
    let feed = indexFrom(text, '\n', start);
    let back = indexFrom(text, '\r', start);
    for (let end = Math.min(feed, back); end < text.length; end = Math.min(feed, back)) {
      const line = this.#open + text.slice(start, end);
      this.#open = '';
      if (line.length > this.#maxLength || !take(line)) return false;
      start = end + 1;
      if (end === back) {
        if (start === text.length) this.#afterReturn = true;
        else if (start === feed) start += 1;
        back = indexFrom(text, '\r', start);
      }
      if (feed < start) feed = indexFrom(text, '\n', start);
    }
    this.#open += text.slice(start);
    return this.#open.length <= this.#maxLength;
  }

  atStart(): boolean {
    return this.#open === '' && !this.#afterReturn;
  }

  end(): string {
    return this.#open;
  }
}

/** Where a character comes next; behind the end where it does not. Each is looked for once, however often the other comes. */
function indexFrom(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start);
  return index < 0 ? text.length : index;
}
