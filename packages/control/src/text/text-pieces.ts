/** Pieces that wait to become one text: joining many at once takes less memory than adding one to another. */
const MAX_PIECES = 64;

/** A text that comes in many small pieces. */
export class TextPieces {
  #text = '';
  #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length === MAX_PIECES) this.#join();
  }

  /** All pieces so far, as one text. */
  get text(): string {
    if (this.#pieces.length > 0) this.#join();
    return this.#text;
  }

  #join(): void {
    this.#text += this.#pieces.join('');
    this.#pieces = [];
  }
}
