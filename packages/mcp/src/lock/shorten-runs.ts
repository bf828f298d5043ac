import type { DiffRun, DiffSide } from './drift-report.ts';

/** One side of a difference with all of its text. */
export interface TextRun {
  readonly kind: DiffSide;
  readonly text: string;
}

/** Characters of unchanged text next to a change. */
const CONTEXT = 80;
/** Characters of changed text in one run: more than a description may have, so that what is reviewed is seen whole. */
const MAX_CHANGED = 65_536;

/** Leaves out what nobody needs to see: the middle of long unchanged runs, and of changed ones only beyond all use. */
export function shortenRuns(runs: readonly TextRun[]): readonly DiffRun[] {
  return Object.freeze(
    runs.flatMap((run, index) => {
      if (run.kind !== 'kept') return cutMiddle(run, MAX_CHANGED / 2, MAX_CHANGED / 2);
      const isFirst = index === 0;
      const isLast = index === runs.length - 1;
      return cutMiddle(run, isFirst ? 0 : CONTEXT, isLast ? 0 : CONTEXT);
    }),
  );
}

function cutMiddle(run: TextRun, head: number, tail: number): readonly DiffRun[] {
  const { kind, text } = run;
  const from = safeIndex(text, head);
  const to = safeIndex(text, text.length - tail);
  // What would be saved has to be worth a gap.
  if (to - from <= CONTEXT) return [run];
  const omitted = Object.freeze({ kind: 'omitted', side: kind, characters: to - from } as const);
  return [
    ...(from === 0 ? [] : [Object.freeze({ kind, text: text.slice(0, from) })]),
    omitted,
    ...(to === text.length ? [] : [Object.freeze({ kind, text: text.slice(to) })]),
  ];
}

/** An index that does not part a surrogate pair. */
function safeIndex(text: string, index: number): number {
  const point = text.codePointAt(index - 1) ?? 0;
  return index > 0 && index < text.length && point > 0xffff ? index - 1 : index;
}
