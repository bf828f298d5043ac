import type { ScanBuffer } from './scan-buffer.ts';
import { createOddTable, escapeEnd, isDoubtfulAt, isPlainBlock, isPlainWord } from './scan-character.ts';

/** Bytes of a string looked at one by one before a native search looks for its end. */
const PATIENCE = 96;

const QUOTE = 0x22;
const SLASH = 0x5c;
const NOWHERE = 0x7fff_ffff;
const ODD = createOddTable();

/** Where a native search stands in an ASCII text, so that each place is searched once. */
export interface TextSearch {
  readonly text: string;
  /** The first quote, and the first `\u`, at or after all earlier questions; {@link NOWHERE} if there is none. */
  quote: number;
  unicode: number;
}

export function createTextSearch(text: string): TextSearch {
  return { text, quote: 0, unicode: 0 };
}

/**
 * The offset after the string whose first character is at `start`. 0 when it may hold half a pair or a noncharacter, or
 * does not end.
 *
 * @param search - For an ASCII text, where offsets of bytes and units agree.
 */
export function stringEnd(
  { bytes, view }: ScanBuffer,
  start: number,
  search: TextSearch | undefined,
): number {
  let at = start;
  let stop = search === undefined ? NOWHERE : start + PATIENCE;
  let wide = search === undefined;
  for (;;) {
    if (wide) while (isPlainBlock(view, at)) at += 16;
    while (isPlainWord(view.getInt32(at))) {
      at += 4;
      if (at < stop || search === undefined) continue;
      at = leap(bytes, at, search);
      if (at <= 0) return -at;
      stop = at + PATIENCE;
    }
    while (ODD[bytes[at] as number] === 0) at++;
    const byte = bytes[at++] as number;
    if (byte === QUOTE) return at;
    if (byte === SLASH) {
      if (bytes[at++] === 0x75) at = escapeEnd(bytes, at);
      if (at === 0) return 0;
    } else if (isDoubtfulAt(bytes, at - 1)) {
      return 0;
    } else {
      // Where one such character is there are more, and hardly a plain block.
      wide = false;
    }
  }
}

/**
 * Looks for the end of the string natively. Positive: go on there, at a `\u` or after an escaped quote. Negative: the
 * string ends before that offset. 0: it does not end.
 */
function leap(bytes: Uint8Array, from: number, search: TextSearch): number {
  if (search.quote < from) search.quote = find(search.text, '"', from);
  if (search.unicode < from) search.unicode = find(search.text, '\\u', from);
  const { quote, unicode } = search;
  if (unicode < quote) return isEscaped(bytes, from, unicode) ? unicode + 1 : unicode;
  if (quote === NOWHERE) return 0;
  return isEscaped(bytes, from, quote) ? quote + 1 : -(quote + 1);
}

function find(text: string, piece: string, from: number): number {
  const found = text.indexOf(piece, from);
  return found === -1 ? NOWHERE : found;
}

/** Whether an odd number of backslashes stands before the offset. */
function isEscaped(bytes: Uint8Array, from: number, at: number): boolean {
  let before = at;
  while (before > from && bytes[before - 1] === SLASH) before--;
  return (at - before) % 2 === 1;
}
