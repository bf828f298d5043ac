const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** What a line turned out to be. */
export type Line = { readonly kind: 'line'; readonly bytes: Uint8Array } | { readonly kind: 'too-long' };

/**
 * Cuts a stream of bytes into lines and goes on with the next one whatever a line was: one that is too long is said to
 * be so once, and skipped to its end without being held. Empty lines are left out. Linear in what comes in.
 */
export class LineReader {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #held = 0;
  #skipping = false;

  /** @param maxBytes - Bytes that one line may have, without its end. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next piece and gives the lines that end in it. */
  *push(piece: Uint8Array): Generator<Line, void, void> {
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      const long = this.#hold(piece.subarray(start, end));
      start = end + 1;
      const line = long ?? this.#release();
      this.#skipping = false;
      if (line !== undefined) yield line;
    }
    const long = this.#hold(piece.subarray(start));
    if (long !== undefined) yield long;
  }

  /** The line that lacks its end when nothing more comes. */
  end(): Line | undefined {
    return this.#skipping ? undefined : this.#release();
  }

  #hold(piece: Uint8Array): Line | undefined {
    if (this.#skipping || piece.byteLength === 0) return undefined;
    this.#held += piece.byteLength;
    // One more for a carriage return before the end.
    if (this.#held > this.#maxBytes + 1) {
      this.#drop();
      this.#skipping = true;
      return { kind: 'too-long' };
    }
    this.#pieces.push(piece);
    return undefined;
  }

  #release(): Line | undefined {
    const pieces = this.#pieces;
    this.#drop();
    const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
    if (line.byteLength === 0) return undefined;
    return line.byteLength > this.#maxBytes ? { kind: 'too-long' } : { kind: 'line', bytes: line };
  }

  #drop(): void {
    this.#pieces = [];
    this.#held = 0;
  }
}
