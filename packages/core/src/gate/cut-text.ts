import { utf8Bytes } from '../internal/utf8-bytes.ts';

/** Bytes that a notice needs at most. */
export const NOTICE_BYTES = 96;

/**
 * The beginning and the end of a text with a notice between them that says what is missing. Cut between characters,
 * never within a surrogate pair.
 *
 * @param maxBytes - UTF-8 bytes of the whole. The notice is given also where there is no room for it.
 * @param total - UTF-8 bytes of the text, where they were counted already.
 */
export function cutText(text: string, maxBytes: number, total: number = utf8Bytes(text)): string {
  if (total <= maxBytes) return text;
  const room = Math.max(maxBytes - NOTICE_BYTES, 0);
  const tailBytes = Math.floor(room / 4);
  const head = text.slice(0, headEnd(text, room - tailBytes));
  const tail = text.slice(tailStart(text, tailBytes));
  const left = total - utf8Bytes(head) - utf8Bytes(tail);
  return `${head}\n[... ${left} of ${total} bytes left out ...]\n${tail}`;
}

/** Bytes of the character that begins or ends at a unit; a surrogate pair has 4, half of them for each unit. */
function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

function headEnd(text: string, maxBytes: number): number {
  let end = 0;
  for (let bytes = 0; end < text.length; end += 1) {
    bytes += unitBytes(text.charCodeAt(end));
    if (bytes > maxBytes) break;
  }
  return isLow(text.charCodeAt(end)) ? end - 1 : end;
}

function tailStart(text: string, maxBytes: number): number {
  let start = text.length;
  for (let bytes = 0; start > 0; start -= 1) {
    bytes += unitBytes(text.charCodeAt(start - 1));
    if (bytes > maxBytes) break;
  }
  return isLow(text.charCodeAt(start)) ? start + 1 : start;
}

/** `false` behind the end, where the code is NaN. */
function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
