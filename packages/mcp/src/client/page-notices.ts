/** Pages that a person was sent to, until a server says that they are done there (2025-11-25, URL mode). */
export class PageNotices {
  readonly #waiting = new Map<string, Set<() => void>>();

  /**
   * Opens a page.
   *
   * @param open - Is given what settles when the server says so; many servers never do.
   */
  async during<Answer>(id: string, open: (completed: Promise<void>) => Promise<Answer>): Promise<Answer> {
    let tell: () => void = () => undefined;
    const completed = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(tell));
    try {
      return await open(completed);
    } finally {
      waiting.delete(tell);
      if (waiting.size === 0) this.#waiting.delete(id);
    }
  }

  /** The server says that a page is done with. */
  complete(id: string): void {
    for (const tell of this.#waiting.get(id) ?? []) tell();
  }
}
