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
    const width = lines.at(-1)?.length ?? 0;
    if (width >= WIDE) return `text behind ${width} blanks`;
  }
  return undefined;
}
