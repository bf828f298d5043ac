const COUNTS: Intl.NumberFormat = new Intl.NumberFormat('en-US');

/** A whole number with separators: `1,530`. */
export function formatCount(count: number): string {
  return COUNTS.format(count);
}

/** A count and its noun: `1 tool`, `3 tools`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}
