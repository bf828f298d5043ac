import { randomUUID } from 'node:crypto';

/** What {@link createOrderedIds} takes its numbers from. */
export interface OrderedIdsOptions {
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number;
  /** A random UUID. Default: 122 bits from the generator of the operating system. */
  readonly random?: () => string;
}

/**
 * A source of ids that sort by the time at which they were made: UUIDs that begin with 48 bits of milliseconds and end
 * with 74 random bits. An index of random ids is written all over with every batch of a log, one of these at its end.
 *
 * @see RFC 9562, section 5.7 (version 7).
 */
export function createOrderedIds({ now, random = randomUUID }: OrderedIdsOptions): () => string {
  let last = Number.NaN;
  let prefix = '';
  return () => {
    const at = now();
    if (at !== last) {
      last = at;
      prefix = timePrefix(at);
    }
    return prefix + random().slice(RANDOM_PART);
  };
}

/** Where, in a UUID of version 4, what follows the digit of its version begins. */
const RANDOM_PART = 15;
const TIME_DIGITS = 12;
const LATEST = 2 ** 48 - 1;

/** The time and the version; a clock that says something else than a time makes ids that do not sort, but are ids. */
function timePrefix(at: number): string {
  const millis = Number.isFinite(at) ? Math.min(Math.max(Math.floor(at), 0), LATEST) : 0;
  const digits = millis.toString(16).padStart(TIME_DIGITS, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
}
