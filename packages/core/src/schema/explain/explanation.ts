import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { CheckBuilder } from '../check/check-builder.ts';
import type { Run } from '../check/run.ts';
import type { Issue } from '../schema.ts';
import { showKind, showValue } from './show-value.ts';
import { kindWord } from './type-words.ts';

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
  /** Set below a schema that is `writeOnly` or of the format `password`: of its values only the kind is told. */
  readonly secret: boolean;
  /** Reports so far, repeated ones included: whether a failing schema said why. */
  readonly tally: { reports: number };
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

/** A value as an issue may show it. */
export function shown(explanation: Explanation, value: JsonValue): string {
  return explanation.secret ? kindWord(value) : showValue(value);
}

/** A value of the wrong kind as an issue may show it. */
export function shownKind(explanation: Explanation, value: JsonValue): string {
  return explanation.secret ? kindWord(value) : showKind(value);
}

/** Says what an issue is about, and adds it. */
export function report(explanation: Explanation, pointer: string, finding: Finding): void {
  const { keyword, verb = 'be', expected, actual } = finding;
  const message = `must ${verb} ${expected}, but ${verb === 'be' ? 'is' : 'has'} ${actual}`;
  addIssue(explanation, { pointer, keyword, expected, actual, message });
}

/** Adds an issue, unless there are enough or the same one is there already (as through two references). */
export function addIssue(explanation: Explanation, issue: Issue): void {
  explanation.tally.reports += 1;
  if (isFull(explanation)) return;
  const known = explanation.issues.some(
    ({ pointer, message }) => pointer === issue.pointer && message === issue.message,
  );
  if (!known) explanation.issues.push(Object.freeze(issue));
}

/** The pointer of a member or item, or of its holder where the pointer would be too long to be of use. */
export function partPointer(pointer: string, token: string | number): string {
  if (typeof token === 'string' && token.length > maxPointer) return pointer;
  const longer = appendPointer(pointer, token);
  return longer.length > maxPointer ? pointer : longer;
}
