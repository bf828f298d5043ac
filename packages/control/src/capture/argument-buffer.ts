import { readJson } from '@toolgate/core';
import { MAX_JSON_DEPTH } from '../bounds.ts';
import { utf8Length } from '../text/utf8-length.ts';

/** Argument text on its way in, never more than its bound. */
export class ArgumentBuffer {
  readonly #maxBytes: number;
  #text = '';
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a piece, cut anywhere; `false`, and it is not kept, where the whole would be too long. */
  add(delta: string): boolean {
    // A unit takes a byte at least: what is longer is not even counted.
    if (delta.length > this.#maxBytes) return false;
    // Half of a pair counts as the three bytes that it would take alone; the whole takes four.
    const joined = isHigh(this.#text.at(-1)) && isLow(delta[0]) ? 2 : 0;
    const bytes = this.#bytes + utf8Length(delta) - joined;
    if (bytes > this.#maxBytes) return false;
    this.#text += delta;
    this.#bytes = bytes;
    return true;
  }

  /** The text, where it is exactly one I-JSON text within the bounds; `undefined` otherwise. */
  finish(): string | undefined {
    try {
      readJson(this.#text, { maxBytes: this.#maxBytes, maxDepth: MAX_JSON_DEPTH });
      return this.#text;
    } catch {
      return undefined;
    }
  }

  /** Whether the text is what another source says it is. */
  equals(text: string): boolean {
    return this.#text === text;
  }
}

function isHigh(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\ud800' && unit <= '\udbff';
}

function isLow(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\udc00' && unit <= '\udfff';
}
