/** What could change how a terminal or a log shows the rest: controls, bidi marks, separators, half pairs. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}"\\]/u;

/**
 * A piece of foreign text in quotes, at most `max` characters between them. What is cut off at the front is shown by
 * an ellipsis, because the end of a pointer or name says more than its beginning. Unsafe characters are escaped.
 */
export function quoteShort(text: string, max: number): string {
  let shown = '';
  let cut = false;
  for (const character of Array.from(text.slice(-max)).reverse()) {
    const piece = UNSAFE.test(character) ? escapeUnits(character) : character;
    if (piece.length + shown.length > max) {
      cut = true;
      break;
    }
    shown = piece + shown;
  }
  return cut || text.length > max ? `"\u2026${shown}"` : `"${shown}"`;
}

function escapeUnits(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  let escaped = '';
  for (let index = 0; index < character.length; index++) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
