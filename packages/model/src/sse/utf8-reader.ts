/** Decodes UTF-8 that arrives in pieces, fatally. */
export interface Utf8Reader {
  /** The text of the valid bytes so far not given; `valid` is false when a byte after it can never be UTF-8. */
  push(bytes: Uint8Array): { readonly text: string; readonly valid: boolean };
  /** Whether the input ended between characters. */
  end(): boolean;
}

const NOTHING: Uint8Array = new Uint8Array(0);

/** Makes a reader that drops one leading byte order mark and gives all text before the first bad byte. */
export function createUtf8Reader(): Utf8Reader {
  return new Reader();
}

/** One for all: without `stream` it keeps nothing from one call to the next. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

class Reader implements Utf8Reader {
  #held: Uint8Array = NOTHING;
  #first = true;

  push(bytes: Uint8Array): { readonly text: string; readonly valid: boolean } {
    const joined = this.#held.length === 0 ? bytes : concat(this.#held, bytes);
    const tail = openTail(joined);
    const whole = joined.length - tail;
    this.#held = tail === 0 ? NOTHING : joined.slice(whole);
    const complete = tail === 0 ? joined : joined.subarray(0, whole);
    try {
      return { text: this.#text(complete), valid: true };
    } catch {
      // The decoder does not say where the fault is, and what came before it must still be delivered.
      return { text: this.#text(complete.subarray(0, validPrefix(complete))), valid: false };
    }
  }

  end(): boolean {
    return this.#held.length === 0;
  }

  #text(bytes: Uint8Array): string {
    const decoded = DECODER.decode(bytes);
    if (!this.#first || decoded === '') return decoded;
    this.#first = false;
    return decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  }
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}

/** How many bytes at the end are the start of a character that is not complete yet (0 to 3). */
function openTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/** Bytes before the first one that breaks UTF-8 (Unicode 15, table 3-7). */
function validPrefix(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceLength(lead);
    if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.length) return at;
    const second = bytes[at + 1] ?? 0;
    const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return at;
    for (let next = at + 2; next < at + length; next += 1) {
      if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return at;
    }
    at += length;
  }
  return at;
}
