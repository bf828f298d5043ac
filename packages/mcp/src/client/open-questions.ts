/** What stands still while somebody is asked. */
export interface Held {
  readonly hold: () => void;
  readonly release: () => void;
}

/**
 * The questions of one server that wait for the application, most of them for a person. Which call a question belongs to
 * is not said in older revisions, so that it holds all of the connection.
 */
export class OpenQuestions {
  readonly #held = new Set<Held>();
  #open = 0;

  /** Answers one question. */
  async during<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
    this.#open += 1;
    if (this.#open === 1) for (const held of this.#held) held.hold();
    try {
      return await answer();
    } finally {
      this.#open -= 1;
      if (this.#open === 0) for (const held of this.#held) held.release();
    }
  }

  /** Holds something whenever there is a question, until what is returned is called, which lets it go. */
  watch(held: Held): () => void {
    this.#held.add(held);
    if (this.#open > 0) held.hold();
    return () => {
      if (this.#held.delete(held) && this.#open > 0) held.release();
    };
  }
}
