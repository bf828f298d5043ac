import { toLimit } from './read-rules.ts';

/** Bounds of one writing. */
export interface WriteJsonOptions {
  /** Bytes of UTF-8 that the text may have. Default 16,777,216 (16 MiB). `'none'` leaves what one string can hold. */
  readonly maxBytes?: number | 'none';
  /** Arrays and objects that may be open at once. Default 64, which is what `readJson` takes. */
  readonly maxDepth?: number | 'none';
}

/** Options after the door. */
export interface WriteRules {
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** Members sorted by the UTF-16 units of their names (RFC 8785) instead of in their own order. */
  readonly sorted: boolean;
}

/** What a string holds in V8 on 64 bits; beyond that the engine itself would throw. */
const LONGEST_STRING = 536_870_888;

/** @throws {@link JsonError} `json/options-invalid`. */
export function toWriteRules(options: WriteJsonOptions | undefined): WriteRules {
  return {
    maxBytes: Math.min(toLimit('maxBytes', options?.maxBytes, 16_777_216), LONGEST_STRING),
    maxDepth: toLimit('maxDepth', options?.maxDepth, 64),
    sorted: false,
  };
}

/** No bound but that of a string; canonical order. */
export const CANONICAL: WriteRules = Object.freeze({
  maxBytes: LONGEST_STRING,
  maxDepth: Number.POSITIVE_INFINITY,
  sorted: true,
});
