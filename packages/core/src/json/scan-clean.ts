import { createScanBuffer, type ScanBuffer } from './scan-buffer.ts';
import { createOddTable, isPlainWord } from './scan-character.ts';
import { numberEnd } from './scan-number.ts';
import { stringEnd, type TextSearch } from './scan-string.ts';

/** Names of one object that are compared one by one; a wider object is left to the strict grammar and its set. */
const MAX_NAMES = 64;
/** Open containers that the scan can follow. */
const MAX_DEPTH = 256;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const HASH_SEED = 0x2f0b_4a63;
const HASH_FACTOR = 0x5bd1_e995;
const ODD = createOddTable();
const PROTO = hashOf('__proto__');
const PROTOTYPE = hashOf('prototype');

/** What one scan keeps; reused, because a scan calls nothing foreign and so is never entered twice. */
export interface ScanMemory {
  /** Hashes of the names of all open objects, outermost first. */
  readonly hashes: Int32Array;
  /** For each open container, where the names of the enclosing one begin in `hashes`. */
  readonly bases: Int32Array;
  /** For each open container, 1 where the enclosing one is an object. */
  readonly kinds: Uint8Array;
}

export function createScanMemory(): ScanMemory {
  return {
    hashes: new Int32Array((MAX_DEPTH + 1) * MAX_NAMES),
    bases: new Int32Array(MAX_DEPTH + 1),
    kinds: new Uint8Array(MAX_DEPTH + 1),
  };
}

/** A text that is scanned. */
export interface CleanScan {
  readonly memory: ScanMemory;
  /** The text in UTF-8, two quotes, and the rest of {@link PADDING} behind it. */
  readonly buffer: ScanBuffer;
  /** Bytes of the text. */
  readonly length: number;
  /** For an ASCII text, where offsets of bytes and units agree. */
  readonly search: TextSearch | undefined;
}

/**
 * Whether a text is surely I-JSON by the strictest rules, if it is JSON at all: the grammar is left to `JSON.parse`.
 * `false` means only that this quick look does not know. Two names with the same hash are such a doubt, so a stranger who
 * finds some gains nothing.
 */
export function isClean(scan: CleanScan, maxDepth: number): boolean {
  for (let at = 0; at < scan.length; ) {
    at = cleanEnd(scan, at, maxDepth);
    if (at === 0) return false;
  }
  return true;
}

/**
 * The offset after the array or object that begins at `start`, or after whatever else comes before one or before the end
 * of the text. 0 where the look does not know.
 *
 * The sentinels keep every offset inside the buffer, here and in the other scanning modules; that is why elements are
 * asserted to be numbers, since a check for each byte would cost more than the rest.
 */
export function cleanEnd(scan: CleanScan, start: number, maxDepth: number): number {
  const { buffer, length, search } = scan;
  const { hashes, bases, kinds } = scan.memory;
  const { bytes, view } = buffer;
  const limit = Math.min(maxDepth, MAX_DEPTH);
  let at = start;
  let depth = 0;
  let top = 0;
  let base = 0;
  let inObject = 0;
  let isName = 0;
  while (at < length) {
    const byte = bytes[at++] as number;
    if (byte <= SPACE) {
      while ((bytes[at] as number) <= SPACE) at++;
    } else if (byte === QUOTE) {
      if (isName === 0) {
        at = stringEnd(buffer, at, search);
        if (at === 0) return 0;
        continue;
      }
      isName = 0;
      let hash = HASH_SEED;
      let word = view.getInt32(at);
      while (isPlainWord(word)) {
        hash = Math.imul(hash ^ word, HASH_FACTOR);
        hash ^= hash >>> 13;
        at += 4;
        word = view.getInt32(at);
      }
      let unit = bytes[at++] as number;
      while (ODD[unit] === 0) {
        hash = Math.imul(hash ^ unit, HASH_FACTOR);
        unit = bytes[at++] as number;
      }
      if (unit !== QUOTE) return 0;
      hash ^= hash >>> 15;
      if (hash === PROTO || hash === PROTOTYPE || top - base >= MAX_NAMES) return 0;
      for (let index = base; index < top; index++) if (hashes[index] === hash) return 0;
      hashes[top++] = hash;
      if (bytes[at] === COLON) at++;
    } else if (byte === COMMA) {
      isName = inObject;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth >= limit) return 0;
      kinds[depth] = inObject;
      bases[depth++] = base;
      base = top;
      isName = inObject = byte === OPEN_OBJECT ? 1 : 0;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0) return 0;
      top = base;
      base = bases[--depth] as number;
      inObject = kinds[depth] as number;
      isName = 0;
      if (depth === 0) return at;
    } else if (byte >= ZERO && byte <= NINE) {
      at = numberEnd(bytes, at - 1);
      if (at === 0) return 0;
    }
  }
  return at;
}

/** The hash that the scan gives to an ASCII name: whole groups of four bytes first, then what is left. */
function hashOf(name: string): number {
  const { bytes, view } = createScanBuffer(name.length);
  new TextEncoder().encodeInto(name, bytes);
  let hash = HASH_SEED;
  let at = 0;
  for (; at + 4 <= name.length; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at), HASH_FACTOR);
    hash ^= hash >>> 13;
  }
  for (; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), HASH_FACTOR);
  return hash ^ (hash >>> 15);
}
