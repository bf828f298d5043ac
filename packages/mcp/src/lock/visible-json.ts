/**
 * What a person does not see, or sees as something else: controls, format characters, private and unassigned ones, line
 * and paragraph separators, spaces that are no space, and characters that are drawn as nothing (Unicode
 * `Default_Ignorable_Code_Point`, among them variation selectors and tags, and the blank of Braille).
 */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * JSON in which nothing hides: every invisible character in a string is an escape. Reads back as the same value.
 *
 * @param text - JSON with spaces and line breaks of its own only outside of strings.
 */
export function visibleJson(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === ' ' || character === '\n' ? character : escapeUnits(character),
  );
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
