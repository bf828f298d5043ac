/** The hook that `node:util` inspect asks for; the symbol is registered, so that no import is needed. */
const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** What every way of printing a secret shows. */
const HIDDEN = '[secret]';

/**
 * A text that must not be printed. Every way of turning it into text shows `[secret]`; only {@link Secret.reveal}
 * gives it, at the place where it is used.
 */
export class Secret {
  readonly #text: string;

  /** @param text - Kept as it is. */
  constructor(text: string) {
    this.#text = text;
    Object.defineProperty(this, INSPECT, { value: () => HIDDEN });
    Object.freeze(this);
  }

  /** The text itself. Never keep the result. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }
}
