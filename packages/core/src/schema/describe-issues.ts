import { utf8Bytes } from '../internal/utf8-bytes.ts';
import type { Issue } from './schema.ts';

/** Bounds of {@link describeIssues}. */
export interface DescribeIssuesOptions {
  /** Issues that are spelled out. Default 20. */
  readonly maxIssues?: number;
  /** UTF-8 bytes of the whole text. Default 2,048; at least 64 are used. */
  readonly maxBytes?: number;
}

/** Characters of one pointer and of one message. What was wrong is said; what was sent is known to who sent it. */
const maxPointerLength = 120;
const maxMessageLength = 400;
const minBytes = 64;

/** What could change how the rest is read: controls, bidirectional marks, separators, half surrogate pairs. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Text for a model: one line for each issue, with the place (RFC 6901; `(root)` for the whole value), the rule and
 * what is expected. Whole lines are left out where the bounds are reached, and counted in a last line.
 *
 * @returns At most `maxBytes` bytes, without control characters but the line breaks; empty without issues.
 */
export function describeIssues(issues: readonly Issue[], options: DescribeIssuesOptions = {}): string {
  const maxBytes = Math.max(minBytes, options.maxBytes ?? 2_048);
  const maxIssues = Math.max(0, options.maxIssues ?? 20);
  const reserve = utf8Bytes(moreLine(issues.length)) + 1;
  const lines: string[] = [];
  let bytes = 0;
  for (const [index, issue] of issues.slice(0, maxIssues).entries()) {
    const line = describeIssue(issue);
    const isLast = index === issues.length - 1;
    const size = utf8Bytes(line) + (index === 0 ? 0 : 1);
    if (bytes + size + (isLast ? 0 : reserve) > maxBytes) break;
    lines.push(line);
    bytes += size;
  }
  const left = issues.length - lines.length;
  if (left > 0) lines.push(lines.length === 0 ? `${left} issues` : moreLine(left));
  return lines.join('\n');
}

function describeIssue({ pointer, keyword, message }: Issue): string {
  const place = pointer === '' ? '(root)' : shortenFront(escaped(pointer), maxPointerLength);
  return `${place} ${shortenBack(escaped(keyword), maxPointerLength)}: ${shortenBack(escaped(message), maxMessageLength)}`;
}

function moreLine(left: number): string {
  return `... and ${left} more`;
}

function escaped(text: string): string {
  // Cut first: nobody escapes a megabyte to show a line.
  return text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The end of a pointer says more than its beginning. */
function shortenFront(text: string, max: number): string {
  return text.length <= max ? text : `…${text.slice(-max).toWellFormed()}`;
}

function shortenBack(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;
}
