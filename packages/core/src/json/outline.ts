import type { KnownValue, KnownValues } from './known-values.ts';
import { type CleanScan, cleanEnd } from './scan-clean.ts';
import { numberEnd } from './scan-number.ts';
import { stringEnd } from './scan-string.ts';

/** Where a member of an object stands in its text: in UTF-16 units, or in bytes where the text came as bytes. */
export interface JsonMemberPlace {
  readonly name: string;
  /** Where the quote of its name is. */
  readonly start: number;
  /** Its value; `end` is the first offset behind it. */
  readonly value: { readonly start: number; readonly end: number };
}

/** Where a member of an object stands, in bytes; its name is printable ASCII without an escape. */
export interface MemberOutline {
  /** The name without its quotes. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Its value; `end` is the first offset behind it. */
  readonly start: number;
  readonly end: number;
  /** What was read from the same bytes before. */
  readonly known: KnownValue | undefined;
}

/**
 * The outline of an object that is surely I-JSON by the strictest rules, if it is JSON at all and no name comes twice or
 * is `__proto__`.
 */
export interface Outline {
  readonly start: number;
  readonly end: number;
  readonly members: readonly MemberOutline[];
  /** Whether any of them is known. */
  readonly hasKnown: boolean;
}

/** A wider object has no outline. */
const MOST_MEMBERS = 64;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const SLASH = 0x5c;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const TILDE = 0x7e;

/**
 * Finds the members of the object that a text is. The grammar is left to `JSON.parse`, which has to take all that is not
 * known: only then the outline is right.
 *
 * @returns `undefined` where this quick look does not know.
 */
export function outlineOf(scan: CleanScan, maxDepth: number, values: KnownValues): Outline | undefined {
  const { buffer, length } = scan;
  const { bytes } = buffer;
  const members: MemberOutline[] = [];
  let hasKnown = false;
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_OBJECT || maxDepth < 1) return undefined;
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_OBJECT) return { start, end: at + 1, members, hasKnown };
  for (;;) {
    const nameStart = at + 1;
    const behindName = plainNameEnd(bytes, at);
    // Behind the text stand the remains of earlier ones.
    if (behindName === 0 || behindName > length || members.length >= MOST_MEMBERS) return undefined;
    const nameEnd = behindName - 1;
    at = skipSpace(bytes, behindName);
    if (bytes[at] !== COLON) return undefined;
    at = skipSpace(bytes, at + 1);
    const head = { nameStart, nameEnd, start: at };
    const known = values.find(buffer, length, head);
    at = known === undefined ? valueEnd(scan, at, maxDepth - 1) : at + known.bytes.length;
    if (at === 0 || at >= length) return undefined;
    members.push({ nameStart, nameEnd, start: head.start, end: at, known });
    hasKnown ||= known !== undefined;
    at = skipSpace(bytes, at);
    const byte = bytes[at++];
    if (byte === CLOSE_OBJECT) return { start, end: at, members, hasKnown };
    if (byte !== COMMA) return undefined;
    at = skipSpace(bytes, at);
  }
}

/** The offset after a name of printable ASCII without escapes; 0 for any other. */
function plainNameEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== QUOTE) return 0;
  let at = start + 1;
  for (;;) {
    const byte = bytes[at++] as number;
    if (byte === QUOTE) return at;
    if (byte < SPACE || byte > TILDE || byte === SLASH) return 0;
  }
}

/** The offset after the value that begins here; 0 where that is in doubt. */
function valueEnd(scan: CleanScan, at: number, maxDepth: number): number {
  const { bytes } = scan.buffer;
  const first = bytes[at] as number;
  if (first === QUOTE) return stringEnd(scan.buffer, at + 1, scan.search);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return cleanEnd(scan, at, maxDepth);
  const digit = first === MINUS ? at + 1 : at;
  const byte = bytes[digit] as number;
  if (byte >= ZERO && byte <= NINE) return numberEnd(bytes, digit);
  let end = at;
  while ((bytes[end] as number) >= LOWER_A && (bytes[end] as number) <= LOWER_Z) end++;
  return end === at ? 0 : end;
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] as number) <= SPACE) at++;
  return at;
}
