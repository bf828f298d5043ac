import type { StreamEnding } from './codec.ts';

/** What one piece of an answer says. */
export interface EndingPiece {
  /** Whether it holds anything of the answer, and whether that is thoughts alone. */
  readonly says: 'nothing' | 'thoughts' | 'more';
  /** Whether a word for the end stands in it. */
  readonly ends: boolean;
}

/**
 * Finds out what a word for the end is worth. Some servers write it into every piece, of thoughts above all, and may be silent
 * for long between two of them.
 */
export class EndingWatch {
  #begun = false;
  #saidWithout = false;
  #ending: StreamEnding = 'no';
  #wentOn = false;

  take({ ends, says }: EndingPiece): void {
    if (this.#ending !== 'no') {
      if (says !== 'nothing') this.goOn();
      return;
    }
    if (!ends) {
      this.#begun = true;
      this.#saidWithout ||= says !== 'nothing';
      return;
    }
    // A server that writes the word everywhere does so in the first piece that says something.
    if (says === 'nothing' ? this.#begun : this.#saidWithout) this.#ending = 'certain';
    else if (says === 'thoughts') this.goOn();
    else this.#ending = 'likely';
  }

  /** More came, or will come: the word meant little. */
  goOn(): void {
    this.#wentOn = true;
  }

  ending(): StreamEnding {
    return this.#wentOn ? 'no' : this.#ending;
  }
}
