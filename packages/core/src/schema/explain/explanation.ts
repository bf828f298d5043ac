import { appendPointer } from '../../json/json-pointer.ts';
import type { CheckBuilder } from '../check/check-builder.ts';
import type { Run } from '../check/run.ts';
import type { Issue } from '../schema.ts';

/** Issues that one explanation names. */
export const maxIssues = 20;
/** Longest pointer of an issue; what lies deeper is reported at the last place that fits. */
const maxPointer = 256;

/** One walk that collects issues. */
export interface Explanation {
  readonly builder: CheckBuilder;
  readonly run: Run;
  readonly issues: Issue[];
  /** The walk stops when so many issues were found. */
  readonly limit: number;
}

/** What an issue says; the sentence is made of it. */
export interface Finding {
  readonly keyword: string;
  /** `be`: the value must be something; `have`: it must have something. */
  readonly verb?: 'be' | 'have';
  readonly expected: string;
  readonly actual: string;
}

/** Whether the walk may stop. */
export function isFull(explanation: Explanation): boolean {
  return explanation.issues.length >= explanation.limit;
}

/** Adds an issue, unless there are enough or the same one is there already (as through two references). */
export function report(explanation: Explanation, pointer: string, finding: Finding): void {
  if (isFull(explanation)) return;
  const { keyword, verb = 'be', expected, actual } = finding;
  const message = `must ${verb} ${expected}, but ${verb === 'be' ? 'is' : 'has'} ${actual}`;
  const known = explanation.issues.some((issue) => issue.pointer === pointer && issue.message === message);
  if (!known) explanation.issues.push(Object.freeze({ pointer, keyword, expected, actual, message }));
}

/** The pointer of a member or item, or of its holder where the pointer would be too long to be of use. */
export function partPointer(pointer: string, token: string | number): string {
  if (typeof token === 'string' && token.length > maxPointer) return pointer;
  const longer = appendPointer(pointer, token);
  return longer.length > maxPointer ? pointer : longer;
}
