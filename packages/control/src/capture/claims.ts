import { type Digest, digestText } from '@toolgate/core';
import { MAX_CONTROL_CALLS } from '../bounds.ts';
import { ControlError } from '../control-error.ts';

/**
 * What belongs to control calls: the blocks of the stream and the ids of the calls. Ids are kept as digests, so that a
 * long one costs no more than a short one. Bounded; one claim too many is the end of the attempt.
 */
export class Claims {
  // Most answers have no control call: then there is no set, and no id is ever hashed.
  #blocks: Set<number> | undefined;
  #ids: Set<Digest> | undefined;

  hasBlock(index: number): boolean {
    return this.#blocks?.has(index) === true;
  }

  hasId(callId: string): boolean {
    return this.#ids?.has(digestText(callId)) === true;
  }

  /** @throws ControlError `control/capture-exhausted`. */
  addBlock(index: number): void {
    this.#blocks ??= new Set();
    if (this.#blocks.has(index)) return;
    if (this.#blocks.size >= MAX_CONTROL_CALLS) throw exhausted();
    this.#blocks.add(index);
  }

  /** @throws ControlError `control/capture-exhausted`. */
  addId(callId: string): void {
    this.#ids ??= new Set();
    const digest = digestText(callId);
    if (this.#ids.has(digest)) return;
    if (this.#ids.size >= MAX_CONTROL_CALLS) throw exhausted();
    this.#ids.add(digest);
  }
}

/** There are more control calls than can be told apart. */
export function exhausted(): ControlError {
  return new ControlError('control/capture-exhausted', 'The attempt has too many control calls.');
}
