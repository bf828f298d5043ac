import { utf8Length } from './utf8-length.ts';

/** The longest beginning of a text that takes at most `maxBytes` bytes, cut between characters. */
export function cutText(text: string, maxBytes: number): string {
  // A unit takes a byte at least, so that no more than this is looked at.
  let cut = text.slice(0, maxBytes);
  if (text.length * 3 <= maxBytes) return cut;
  let bytes = 0;
  let end = 0;
  for (const character of cut) {
    bytes += utf8Length(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  cut = cut.slice(0, end);
  // Half of a pair at the end was whole before the first cut.
  return cut.isWellFormed() || !text.isWellFormed() ? cut : cut.slice(0, -1);
}
