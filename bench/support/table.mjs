/**
 * Prints a table with a title; the first column to the left, the others to the right.
 *
 * @param {string} title
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function printTable(title, head, rows) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  process.stdout.write(`\n${[title, line(head), rule, ...rows.map(line)].join('\n')}\n`);
}

/**
 * A ratio with its bar: `0.71`, or `0.48 (bar 0.50)` where it is missed.
 *
 * @param {number} value
 * @param {number} [least] - The bar; none where it is absent.
 */
export function withBar(value, least) {
  const text = value.toFixed(2);
  if (least === undefined || value >= least) return text;
  missed = true;
  return `${text} (bar ${least.toFixed(2)})`;
}

/**
 * The same for a value that may not be exceeded.
 *
 * @param {number} value
 * @param {number} most
 */
export function withLimit(value, most) {
  if (value <= most) return value.toFixed(2);
  missed = true;
  return `${value.toFixed(2)} (limit ${most.toFixed(2)})`;
}

let missed = false;

/** Ends with exit code 1 after `--assert` when a bar was missed. Call it last. */
export function finish() {
  if (missed && process.argv.includes('--assert')) process.exitCode = 1;
}
