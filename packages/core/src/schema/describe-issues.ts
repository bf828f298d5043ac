import { utf8Bytes } from '../internal/utf8-bytes.ts';
import type { Issue } from './schema.ts';

/** Bounds of {@link describeIssues}. */
export interface DescribeIssuesOptions {
  /** Issues that are spelled out. Default 20. */
  readonly maxIssues?: number;
  /** UTF-8 bytes of the whole text. Default 2,048; at least 64 are used. */
  readonly maxBytes?: number;
}

/** Characters of one pointer, keyword and message. What was wrong is said; what was sent is known to who sent it. */
const maxPointerLength = 120;
const maxKeywordLength = 40;
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
  const place = pointer === '' ? '(root)' : endOf(pointer, maxPointerLength);
  return `${place} ${startOf(keyword, maxKeywordLength)}: ${startOf(message, maxMessageLength)}`;
}

function moreLine(left: number): string {
  return `... and ${left} more`;
}

/** The end of a pointer says more than its beginning. */
function endOf(text: string, max: number): string {
  const shown = escaped(text.slice(-max));
  return shown.length <= max && text.length <= max ? shown : `…${shown.slice(-max).toWellFormed()}`;
}

function startOf(text: string, max: number): string {
  const shown = escaped(text.slice(0, max));
  return shown.length <= max && text.length <= max ? shown : `${shown.slice(0, max).toWellFormed()}…`;
}

function escaped(text: string): string {
  return text.toWellFormed().replace(unsafe, (character) => character.replaceAll(/./gs, escapeUnit));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
