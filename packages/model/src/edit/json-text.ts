/**
 * A text as edits look at it, unit by unit: a string, or UTF-8 whose bytes stand for units. All that JSON is built of is
 * ASCII, so both are looked through alike.
 */
export interface JsonText {
  /** `NaN` beyond the end. */
  charCodeAt(at: number): number;
  /** Where a character of ASCII comes next; -1 where it does not. */
  indexOf(character: string, from: number): number;
  readonly length: number;
  /** A piece as real text. */
  slice(start: number, end: number): string;
}
