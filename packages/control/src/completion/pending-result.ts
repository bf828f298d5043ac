import { ignoreThrown } from '@toolgate/core';
import type { ModelEvent } from '@toolgate/model';
import { type Published, publishText } from './publish-text.ts';

/** Which attempt a result belongs to. */
export interface AttemptIdentity {
  readonly bLegId: string;
  readonly attemptSeq: number;
}

/** Where a pending result stands; `withdrawn` and `drained` are final. */
export type PendingState = 'reserved' | 'staged' | 'active' | 'drained' | 'withdrawn';

/**
 * A valid result on its way to the client: reserved, staged through the hooks of a response, activated once the
 * attempt has won, drained. Each step happens once and in this order; everything out of order withdraws it, since a
 * result that is not surely right is not published.
 */
export class PendingResult {
  readonly #attempt: AttemptIdentity;
  #text: string;
  #state: PendingState = 'reserved';

  /** @param text - Of a valid outcome; it is trimmed. */
  constructor(text: string, attempt: AttemptIdentity) {
    this.#text = text.trim();
    this.#attempt = Object.freeze({ ...attempt });
    if (this.#text === '') this.#state = 'withdrawn';
  }

  get state(): PendingState {
    return this.#state;
  }

  /** Sends the text through a hook, exactly once; a hook that answers `undefined`, or throws, keeps it back. */
  stage(hook: (text: string) => string | undefined = (text) => text): boolean {
    if (!this.#advance('reserved', 'staged')) return false;
    try {
      const staged = hook(this.#text);
      // Of an async function, by a slip; it is no text.
      ignoreThrown(staged);
      this.#text = staged?.trim() ?? '';
    } catch (error) {
      ignoreThrown(error);
      this.withdraw();
      throw error;
    }
    if (this.#text === '') this.withdraw();
    return this.#state === 'staged';
  }

  /** Says that the attempt has won. */
  activate(): boolean {
    return this.#advance('staged', 'active');
  }

  /**
   * The events that publish the text, once.
   *
   * @param attempt - Who asks: another attempt than the one that it was reserved for gets nothing.
   */
  drain(attempt: AttemptIdentity, seen: Published): readonly ModelEvent[] {
    const own = attempt.bLegId === this.#attempt.bLegId && attempt.attemptSeq === this.#attempt.attemptSeq;
    if (!own || !this.#advance('active', 'drained')) return [];
    return publishText(this.#text, seen);
  }

  /** Keeps it from ever being published: on cancellation, close, replacement, another attempt. */
  withdraw(): void {
    if (this.#state !== 'drained') this.#state = 'withdrawn';
    this.#text = '';
  }

  #advance(from: PendingState, to: PendingState): boolean {
    if (this.#state === from) {
      this.#state = to;
      return true;
    }
    this.withdraw();
    return false;
  }
}
