/** The last bytes of a stream of text, whatever its length. */
export class TextTail {
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);

  /** @param maxBytes - How much is kept. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(piece: Uint8Array): void {
    const kept =
      piece.byteLength > this.#maxBytes ? piece.subarray(piece.byteLength - this.#maxBytes) : piece;
    const joined = Buffer.concat([this.#bytes, kept]);
    this.#bytes =
      joined.byteLength > this.#maxBytes
        ? Buffer.from(joined.subarray(joined.byteLength - this.#maxBytes))
        : joined;
  }

  /** What is kept, as text. */
  text(): string {
    return this.#bytes.toString('utf8');
  }
}
