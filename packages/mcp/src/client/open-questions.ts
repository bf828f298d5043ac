import { followSignal, ignoreThrown } from '@toolgate/core';

/** What stands still while somebody is asked. */
export interface Held {
  readonly hold: () => void;
  readonly release: () => void;
}

/**
 * The questions of one server that wait for the application, most of them for a person. Which call a question belongs to
 * is not said in older revisions, so that it holds all of the connection, and is given up when the last call is.
 */
export class OpenQuestions {
  readonly #held = new Set<Held>();
  readonly #open = new Set<AbortController>();

  /**
   * Answers one question, whether or not who answers listens to the signal.
   *
   * @throws The reason of the signal; what `answer` throws.
   */
  async during<Answer>(
    answer: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const left = new AbortController();
    const either = AbortSignal.any([signal, left.signal]);
    this.#open.add(left);
    if (this.#open.size === 1) for (const held of this.#held) held.hold();
    try {
      const pending = answer(either);
      // It may come when nobody waits any more.
      pending.then(undefined, ignoreThrown);
      return await untilAborted(pending, either);
    } finally {
      this.#open.delete(left);
      if (this.#open.size === 0) for (const held of this.#held) held.release();
    }
  }

  /** Holds something whenever there is a question, until what is returned is called, which lets it go. */
  watch(held: Held): () => void {
    this.#held.add(held);
    if (this.#open.size > 0) held.hold();
    return () => {
      if (!this.#held.delete(held) || this.#open.size === 0) return;
      held.release();
      if (this.#held.size > 0) return;
      for (const left of this.#open) left.abort(new Error('No call is left that this question belongs to.'));
    };
  }
}

function untilAborted<Answer>(pending: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  if (signal.aborted) return Promise.race([Promise.reject(signal.reason), pending]);
  let leave: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = followSignal(signal, () => reject(signal.reason));
  });
  return Promise.race([pending, aborted]).finally(leave);
}
