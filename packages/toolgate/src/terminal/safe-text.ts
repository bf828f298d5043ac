/** Controls, bidirectional marks, separators, private and unassigned characters, half surrogate pairs. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Foreign text for a terminal: whatever could move the cursor, change a title, or make the line read otherwise than it
 * is, is shown as an escape. Longer texts are cut, with an ellipsis.
 */
export function safeText(text: string, maxLength = 400): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  return cut
    .toWellFormed()
    .replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
