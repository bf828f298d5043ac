import { diffArrays } from 'diff';
import type { DiffRun, DiffSide } from './drift-report.ts';
import { shortenRuns, type TextRun } from './shorten-runs.ts';

/** Words that may differ before one text simply stands for the other. Bounds the work: it grows with its square. */
const MAX_EDITS = 256;

/** What is left to compare, so that a server with a thousand changed tools does not take a thousand times as long. */
export interface DiffBudget {
  /** Characters. */
  left: number;
}

/**
 * The difference of two texts in words. Long runs that both have are shortened to what stands next to a change.
 *
 * @param budget - Counted down; when it is used up, what differs is shown as removed and added as a whole.
 */
export function diffWords(before: string, after: string, budget: DiffBudget): readonly DiffRun[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const runs = [
    toRun('kept', before.slice(0, start)),
    ...diffMiddle(removed, added, budget),
    toRun('kept', before.slice(before.length - end)),
  ];
  return shortenRuns(joinRuns(runs));
}

/** One text in the place of another one, without looking for what they have in common. */
export function replaceText(before: string, after: string): readonly DiffRun[] {
  return shortenRuns([toRun('removed', before), toRun('added', after)].filter(({ text }) => text !== ''));
}

/** Words with their combining marks, spaces, and every other character alone. */
const TOKENS = /[\p{L}\p{N}\p{M}_]+|\s+|[\s\S]/gu;

function diffMiddle(removed: string, added: string, budget: DiffBudget): readonly TextRun[] {
  const whole = [toRun('removed', removed), toRun('added', added)];
  budget.left -= removed.length + added.length;
  if (removed === '' || added === '' || budget.left < 0) return whole;
  const changes = diffArrays(removed.match(TOKENS) ?? [], added.match(TOKENS) ?? [], {
    maxEditLength: MAX_EDITS,
  });
  return (
    changes?.map(({ value, ...change }) =>
      toRun(change.added ? 'added' : change.removed ? 'removed' : 'kept', value.join('')),
    ) ?? whole
  );
}

/** Runs without empty ones, and one where two of a kind meet. */
function joinRuns(runs: readonly TextRun[]): readonly TextRun[] {
  const joined: TextRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (run.text === '') continue;
    if (last?.kind === run.kind) joined[joined.length - 1] = toRun(run.kind, last.text + run.text);
    else joined.push(run);
  }
  return joined;
}

/** How much both begin with, up to the beginning of a word. */
function commonStart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left.charCodeAt(length) === right.charCodeAt(length)) length += 1;
  if (length === left.length && length === right.length) return length;
  while (length > 0 && !isBoundary(left, length)) length -= 1;
  return length;
}

function commonEnd(left: string, right: string, start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let length = 0;
  while (
    length < most &&
    left.charCodeAt(left.length - 1 - length) === right.charCodeAt(right.length - 1 - length)
  ) {
    length += 1;
  }
  while (
    length > 0 &&
    !(isBoundary(left, left.length - length) && isBoundary(right, right.length - length))
  ) {
    length -= 1;
  }
  return length;
}

/** Whether a word may begin here, and surely no half of a surrogate pair. */
function isBoundary(text: string, index: number): boolean {
  return ' \n",'.includes(text.charAt(index - 1)) && index > 0;
}

function toRun(kind: DiffSide, text: string): TextRun {
  return Object.freeze({ kind, text });
}
