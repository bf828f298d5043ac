import type { Paint, Tone } from './paint.ts';

/** One cell: text that is safe to show, and its style. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

/** A column and the side on which its texts stand. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const GAP = '  ';
const MIN_FIRST = 12;

/**
 * A table of lines. The first column gives way when the terminal is narrow; where there is none, nothing is cut.
 *
 * @returns Text that ends with a line break.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: { readonly paint: Paint; readonly width: number | undefined },
): string {
  const header = columns.map(({ title }): Cell => ({ text: title, tone: 'quiet' }));
  const widths = columns.map((_, index) =>
    [header, ...rows].reduce((widest, row) => Math.max(widest, lengthOf(row[index]?.text ?? '')), 0),
  );
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const over = options.width === undefined ? 0 : total - options.width;
  const [first = 0] = widths;
  if (over > 0) widths[0] = Math.min(first, Math.max(MIN_FIRST, first - over));
  const lines = [header, ...rows].map((row) =>
    columns
      .map(({ align }, index) => {
        const { text, tone } = row[index] ?? { text: '' };
        const width = widths[index] ?? 0;
        const shown = cut(text, width);
        const painted = tone === undefined ? shown : options.paint(tone, shown);
        const padding = ' '.repeat(width - lengthOf(shown));
        return align === 'right' ? padding + painted : painted + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

const SEGMENTS = new Intl.Segmenter();
const PLAIN = /^[ -~]*$/u;

/** Characters as a person counts them. */
function lengthOf(text: string): number {
  return PLAIN.test(text) ? text.length : Array.from(SEGMENTS.segment(text)).length;
}

function cut(text: string, width: number): string {
  if (lengthOf(text) <= width) return text;
  const kept = Array.from(SEGMENTS.segment(text), ({ segment }) => segment).slice(0, width - 1);
  return `${kept.join('')}…`;
}
