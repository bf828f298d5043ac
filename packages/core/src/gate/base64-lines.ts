/** Lines of standard base64, one after the other: their ends may be escaped, and a document may have them indented. */
const LINES =
  /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{8,}(?:(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)[ \t]{0,32}[A-Za-z0-9+/]{2,}={0,2})+/g;
const LINE_END = /(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)[ \t]{0,32}/g;

/**
 * A text whose blocks of base64 are one line each where that shows more of what is looked for: programs break it after 64 or 76
 * characters. All other blocks stay as they are.
 *
 * @param pattern - With the flag `g`.
 */
export function joinLines(text: string, pattern: RegExp): string {
  const count = (block: string): number => block.match(pattern)?.length ?? 0;
  return text.replace(LINES, (block) => {
    const line = block.replace(LINE_END, '');
    return count(line) > count(block) ? line : block;
  });
}
