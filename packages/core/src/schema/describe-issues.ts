import type { Issue } from './schema.ts';

/** Bounds of {@link describeIssues}. */
export interface DescribeIssuesOptions {
  /** Issues that are spelled out. Default 20. */
  readonly maxIssues?: number;
  /** UTF-8 bytes of the whole text. Default 2,048. */
  readonly maxBytes?: number;
}

/** Text for a model: one line for each issue (pointer, rule, expectation), bounded, without control characters. */
export function describeIssues(issues: readonly Issue[], options: DescribeIssuesOptions = {}): string {
  return issues
    .slice(0, options.maxIssues ?? 20)
    .map((issue) => `${issue.pointer}: ${issue.message}`)
    .join('\n');
}
