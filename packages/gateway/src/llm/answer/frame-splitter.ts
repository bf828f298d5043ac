const LF = 10;
const CR = 13;

/** Cuts a stream of server-sent events into whole events, as bytes. */
export interface FrameSplitter {
  /** The events that are whole now, each with the blank line that ends it. Nothing is copied that came in one piece. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** What no blank line ended. */
  end(): Uint8Array | undefined;
}

/**
 * Makes a splitter; LF, CRLF and CR end lines.
 *
 * @param maxBytes - A longer event is handed on in pieces, for the reader to refuse.
 */
export function createFrameSplitter(maxBytes: number): FrameSplitter {
  return Object.freeze(new Splitter(maxBytes));
}

class Splitter implements FrameSplitter {
  readonly #maxBytes: number;
  /** Pieces of an event that is not whole; mostly there are none. */
  #kept: Uint8Array[] | undefined = undefined;
  #keptBytes = 0;
  /** Whether nothing stands on the current line yet. */
  #lineEmpty = true;
  /** The last byte was a CR: an LF now belongs to it. */
  #afterCr = false;
  /** The event is over, but for the LF that may follow its last CR. */
  #dangling = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const frames: Uint8Array[] = [];
    let start = 0;
    let at = 0;
    const cut = (end: number): void => {
      // Mostly a chunk is one event: no other view is made of it then.
      frames.push(this.#take(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end)));
      start = end;
    };
    if (this.#dangling && chunk.length > 0) {
      this.#dangling = false;
      if (chunk[0] === LF) at = 1;
      cut(at);
      this.#lineEmpty = true;
      this.#afterCr = false;
    }
    const plain = !this.#afterCr && chunk.indexOf(CR, at) < 0;
    while (at < chunk.length) {
      if (plain) {
        const found = chunk.indexOf(LF, at);
        if (found < 0) {
          this.#lineEmpty = false;
          break;
        }
        const empty = found === at && this.#lineEmpty;
        at = found + 1;
        this.#lineEmpty = true;
        if (empty) cut(at);
        continue;
      }
      const byte = chunk[at];
      at += 1;
      if (byte === LF && this.#afterCr) {
        this.#afterCr = false;
        continue;
      }
      this.#afterCr = byte === CR;
      if (byte !== LF && byte !== CR) {
        this.#lineEmpty = false;
        continue;
      }
      const empty = this.#lineEmpty;
      this.#lineEmpty = true;
      if (!empty) continue;
      if (byte === CR && at === chunk.length) this.#dangling = true;
      else {
        if (byte === CR && chunk[at] === LF) at += 1;
        this.#afterCr = false;
        cut(at);
      }
    }
    if (start < chunk.length) {
      this.#kept ??= [];
      this.#kept.push(start === 0 ? chunk : chunk.subarray(start));
      this.#keptBytes += chunk.length - start;
      if (this.#keptBytes > this.#maxBytes) frames.push(this.#take(new Uint8Array(0)));
    }
    return frames;
  }

  end(): Uint8Array | undefined {
    return this.#kept === undefined ? undefined : this.#take(new Uint8Array(0));
  }

  #take(last: Uint8Array): Uint8Array {
    if (this.#kept === undefined) return last;
    const whole = Buffer.concat([...this.#kept, last]);
    this.#kept = undefined;
    this.#keptBytes = 0;
    return whole;
  }
}
