import { McpError } from '../mcp-error.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Cuts a stream of bytes into lines, one message a line, and never holds more than one line may have. Linear: a line
 * that comes in a thousand pieces is joined once.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #held = 0;

  /** @param maxBytes - Bytes that one line may have. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes the next piece and hands out the lines that are complete with it, without their ends. Empty lines are left
   * out.
   *
   * @throws {@link McpError} `mcp/message-too-large`; what was held is dropped.
   */
  push(piece: Uint8Array, take: (line: string) => void): void {
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      this.#hold(piece.subarray(start, end));
      start = end + 1;
      const line = this.#release();
      if (line !== '') take(line);
    }
    this.#hold(piece.subarray(start));
  }

  /** What came behind the last end of a line. Nothing is held after it. */
  end(): string {
    return this.#release();
  }

  #hold(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.#held += piece.byteLength;
    if (this.#held > this.#maxBytes) {
      this.#pieces = [];
      this.#held = 0;
      throw new McpError(
        'mcp/message-too-large',
        `A message of the server has more than ${this.#maxBytes} bytes.`,
      );
    }
    this.#pieces.push(piece);
  }

  #release(): string {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#held = 0;
    const [only] = pieces;
    if (only === undefined) return '';
    const bytes = pieces.length === 1 ? only : Buffer.concat(pieces);
    const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.byteLength - 1 : bytes.byteLength;
    return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('utf8');
  }
}
