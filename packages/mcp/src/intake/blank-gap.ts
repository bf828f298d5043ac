/** Blanks in one line that push what follows out of most windows. */
const WIDE = 80;
/** Line breaks with nothing between them that do so. */
const TALL = 20;

/**
 * Where text stands behind so many blanks that a reader does not come there: a model reads on. Takes time linear in the
 * text.
 *
 * @returns The first gap, in a few words.
 */
export function blankGap(text: string): string | undefined {
  if (text.length < TALL) return undefined;
  for (const { 0: run, index } of text.matchAll(/\s+/gu)) {
    if (run.length < TALL || index + run.length === text.length) continue;
    const lines = run.split(/\r\n?|[\n\u2028\u2029]/u);
    if (lines.length > TALL) return `text behind ${lines.length - 1} line breaks`;
    const { length = 0 } = lines.at(-1) ?? '';
    if (length >= WIDE) return `text behind ${length} blanks`;
  }
  return undefined;
}
