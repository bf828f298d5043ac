import type { DiffRun, DriftReport, FieldChange, ToolDrift } from '@toolgate/mcp';
import { formatCount } from '../terminal/format-count.ts';
import type { Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { formatDefinition, indent } from './format-definition.ts';
import { mayLookAlike, revealAll, revealText } from './reveal-text.ts';

/** What drifted on one server: a line for each tool, and for a changed one the words that went and came. */
export function formatDrift(report: DriftReport, paint: Paint): string {
  return report.drift
    .map((each) => `${formatDriftLine(each, paint)}${formatDriftBody(each, paint)}`)
    .join('');
}

/** One tool in one line. */
export function formatDriftLine(drift: ToolDrift, paint: Paint): string {
  const name = paint('strong', revealText(safeText(drift.tool, 200)));
  switch (drift.kind) {
    case 'added': {
      const from = drift.renamedFrom;
      const note = from === undefined ? '' : `, as ${safeText(from, 200)} was that is gone`;
      return `${paint('warning', 'new')}      ${name}${note}\n`;
    }
    case 'changed':
      return `${paint('bad', 'changed')}  ${name}\n`;
    case 'removed':
      return `${paint('warning', 'gone')}     ${name}\n`;
    case 'unpinnable':
      return `${paint('bad', 'invalid')}  ${name}  ${safeText(drift.problem)}\n`;
  }
}

/** What a reviewer has to see of one tool. */
export function formatDriftBody(drift: ToolDrift, paint: Paint): string {
  switch (drift.kind) {
    case 'added':
      return formatDefinition(drift.definition, paint);
    case 'changed': {
      const more =
        drift.moreChanges === 0
          ? ''
          : indent(paint('bad', `and ${formatCount(drift.moreChanges)} more places that are not shown`), 2);
      return drift.changes.map((change) => formatChange(change, paint)).join('') + more;
    }
    case 'removed':
    case 'unpinnable':
      return '';
  }
}

function formatChange({ kind, pointer, runs }: FieldChange, paint: Paint): string {
  const title = `${paint('quiet', safeText(pointer, 300))}${kind === 'changed' ? '' : paint('quiet', ` ${kind}`)}`;
  return indent(title, 2) + indent(formatRuns(runs, paint), 6);
}

/** Without colours the runs are marked as in a word diff of git. */
function formatRuns(runs: readonly DiffRun[], paint: Paint): string {
  return runs
    .map((run, index) => {
      if (run.kind === 'omitted')
        return paint('quiet', `[${formatCount(run.characters)} characters not shown]`);
      const text = reveal(run, runs[index - 1], runs[index + 1]);
      if (run.kind === 'kept') return text;
      const [tone, marked] =
        run.kind === 'removed' ? (['bad', `[-${text}-]`] as const) : (['good', `{+${text}+}`] as const);
      return marked
        .split('\n')
        .map((line) => (line === '' ? '' : paint(tone, line)))
        .join('\n');
    })
    .join('');
}

function reveal(
  run: Exclude<DiffRun, { readonly kind: 'omitted' }>,
  ...near: readonly (DiffRun | undefined)[]
): string {
  const hides =
    run.kind !== 'kept' &&
    near.some(
      (other) => other !== undefined && other.kind !== 'omitted' && mayLookAlike(run.text, other.text),
    );
  return hides ? revealAll(run.text) : revealText(run.text);
}
