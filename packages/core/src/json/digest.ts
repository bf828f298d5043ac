import { sha256 } from '@noble/hashes/sha2.js';
import { canonicalJson } from './canonical-json.ts';
import type { JsonValue } from './json-value.ts';

/** `sha256:` and 64 lower-case hexadecimal digits: SHA-256 of the canonical JSON (RFC 8785) of a value. */
export type Digest = `sha256:${string}`;

/**
 * The digest of a value: equal for values that have the same canonical JSON.
 *
 * @throws {@link JsonError} as {@link canonicalJson} does.
 */
export function digest(value: JsonValue): Digest {
  return digestText(canonicalJson(value));
}

/** The digest of a canonical JSON text at hand; the text is taken as it is. */
export function digestText(canonicalText: string): Digest {
  let digits = '';
  for (const byte of sha256(ENCODER.encode(canonicalText))) digits += HEX[byte];
  return `sha256:${digits}`;
}

const ENCODER = new TextEncoder();
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
