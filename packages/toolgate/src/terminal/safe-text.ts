/**
 * Controls, bidirectional marks, separators, private and unassigned characters, half surrogate pairs, and what is drawn
 * as nothing: variation selectors, fillers, tags (Unicode `Default_Ignorable_Code_Point`), the blank of Braille.
 */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The same for text in lines: line breaks and tabs stay, and nothing is cut. */
export function safeLines(text: string): string {
  return text
    .toWellFormed()
    .replace(UNSAFE, (character) =>
      character === '\n' || character === '\t' ? character : escaped(character),
    );
}

/**
 * Foreign text for a terminal: whatever could move the cursor, change a title, or make the line read otherwise than it
 * is, is shown as an escape. Longer texts are cut, with an ellipsis.
 */
export function safeText(text: string, maxLength = 400): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  return cut.toWellFormed().replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
