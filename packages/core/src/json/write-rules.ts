import { toLimit } from './read-rules.ts';

/** Bounds of one writing. */
export interface WriteJsonOptions {
  /** Bytes of UTF-8 that the text may have. Default 16,777,216 (16 MiB). `'none'` leaves what one string can hold. */
  readonly maxBytes?: number | 'none';
  /**
   * Arrays and objects that may be open at once. Default 64, which is what `readJson` takes. `'none'` and everything
   * above 1,000 leave 1,000.
   */
  readonly maxDepth?: number | 'none';
}

/** Options after the door. */
export interface WriteRules {
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** Members sorted by the UTF-16 units of their names (RFC 8785) instead of in their own order. */
  readonly sorted: boolean;
  /** Half of a surrogate pair becomes U+FFFD, counted, instead of a refusal. */
  readonly mended: boolean;
}

/** What a string holds in V8 on 64 bits; beyond that the engine itself would throw. */
const LONGEST_STRING = 536_870_888;
/** What the call stack surely holds, here and in `JSON.stringify`. */
const DEEPEST = 1_000;

const DEFAULT: WriteRules = Object.freeze({
  maxBytes: 16_777_216,
  maxDepth: 64,
  sorted: false,
  mended: false,
});

/** The default bounds, for a value that is worth more than the half of a character in it. */
export const MENDED: WriteRules = Object.freeze({ ...DEFAULT, mended: true });

/** No bounds but those of the engine; canonical order. */
export const CANONICAL: WriteRules = Object.freeze({
  maxBytes: LONGEST_STRING,
  maxDepth: DEEPEST,
  sorted: true,
  mended: false,
});

/** @throws {@link JsonError} `json/options-invalid`. */
export function toWriteRules(options: WriteJsonOptions | undefined): WriteRules {
  if (options === undefined) return DEFAULT;
  return {
    maxBytes: Math.min(toLimit('maxBytes', options.maxBytes, DEFAULT.maxBytes), LONGEST_STRING),
    maxDepth: Math.min(toLimit('maxDepth', options.maxDepth, DEFAULT.maxDepth), DEEPEST),
    sorted: false,
    mended: false,
  };
}
