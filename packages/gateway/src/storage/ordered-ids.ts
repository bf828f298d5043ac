import { randomFillSync } from 'node:crypto';

/** What {@link createOrderedIds} takes its numbers from. */
export interface OrderedIdsOptions {
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * A source of ids that sort by the time at which they were made: UUIDs that begin with 48 bits of milliseconds and end
 * with 74 random bits of the operating system. An index of random ids is written all over with every batch of a log, one
 * of these at its end.
 *
 * Each one is written into the same bytes and made a text at once: a text put together from pieces is put together only
 * when it is written somewhere, and costs several times as much until then.
 *
 * @see RFC 9562, section 5.7 (version 7).
 */
export function createOrderedIds({ now }: OrderedIdsOptions): () => string {
  const text = Buffer.from('00000000-0000-7000-8000-000000000000', 'latin1');
  const random = Buffer.alloc(RANDOM_BYTES * IDS_AT_ONCE);
  let used = random.length;
  let last = Number.NaN;
  return () => {
    const at = now();
    if (at !== last) {
      last = at;
      writeTime(text, at);
    }
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    writeRandom(text, random, used);
    used += RANDOM_BYTES;
    return text.toString('latin1');
  };
}

/** Where the digits of random bits stand: all behind the one of the version but that of the variant. */
const PLACES = [15, 16, 17, 20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35] as const;
const VARIANT_PLACE = 19;
/** A byte for two digits, and one for the two bits that share a digit with the variant. */
const RANDOM_BYTES = PLACES.length / 2 + 1;
const IDS_AT_ONCE = 256;
const TIME_DIGITS = 12;
const LATEST = 2 ** 48 - 1;
const DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/** A clock that says something else than a time makes ids that do not sort, but are ids. */
function writeTime(text: Buffer, at: number): void {
  const millis = Number.isFinite(at) ? Math.min(Math.max(Math.floor(at), 0), LATEST) : 0;
  const digits = millis.toString(16).padStart(TIME_DIGITS, '0');
  text.write(digits.slice(0, 8), 0, 'latin1');
  text.write(digits.slice(8), 9, 'latin1');
}

function writeRandom(text: Buffer, random: Buffer, from: number): void {
  let byte = from;
  for (let at = 0; at < PLACES.length; at += 2) {
    const bits = random[byte] ?? 0;
    writeDigit(text, PLACES[at], bits >> 4);
    writeDigit(text, PLACES[at + 1], bits & 0b1111);
    byte += 1;
  }
  writeDigit(text, VARIANT_PLACE, 0b1000 | ((random[byte] ?? 0) & 0b11));
}

function writeDigit(text: Buffer, place: number | undefined, digit: number): void {
  if (place !== undefined) text[place] = DIGITS[digit] ?? 0;
}
