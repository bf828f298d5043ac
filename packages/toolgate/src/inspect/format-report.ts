import type { IntakeNote, ToolAnnotations } from '@toolgate/core';
import { countOf, formatCount } from '../terminal/format-count.ts';
import { type Cell, type Column, formatTable } from '../terminal/format-table.ts';
import type { Paint, Tone } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { type FitnessReport, PROVIDERS, type ToolReport } from './tool-report.ts';

/** How a report is shown. */
export interface FormatReportOptions {
  readonly paint: Paint;
  /** Characters in a line; `undefined` for no limit. */
  readonly width: number | undefined;
  /** Also every note, pattern and reason, and digests in full. */
  readonly details: boolean;
}

/** The columns of the table of tools. */
export const REPORT_COLUMNS: readonly Column[] = [
  { title: 'TOOL' },
  { title: 'CLASS' },
  { title: 'CONTRACT' },
  { title: 'BYTES', align: 'right' },
  { title: 'DEPTH', align: 'right' },
  { title: 'PATTERNS', align: 'right' },
  { title: 'NOTES', align: 'right' },
  { title: 'OPENAI' },
  { title: 'ANTHROPIC' },
  { title: 'GEMINI' },
];

const DIGEST_DIGITS = 12;
const VERDICT_TONES = { exact: 'good', adapted: 'warning', unfit: 'bad' } as const satisfies Record<
  string,
  Tone
>;

/** The reports as a table, what is wrong, on request the details, and a last line that sums up. */
export function formatReport(reports: readonly ToolReport[], options: FormatReportOptions): string {
  const { paint, width, details } = options;
  const table = formatTable(REPORT_COLUMNS, reports.map(reportRow), { paint, width });
  const faults = reports.flatMap((report) =>
    report.faults.map(
      ({ code, message, pointer }) =>
        `${paint('bad', 'error')}  ${paint('strong', safeText(report.name, 80))}  ${code}${at(pointer)}  ${safeText(message)}\n`,
    ),
  );
  return [
    table,
    faults.length > 0 ? `\n${faults.join('')}` : '',
    ...(details ? reports.map((report) => formatDetails(report, paint)) : []),
    `\n${summary(reports, paint)}\n`,
  ].join('');
}

/** One tool in these columns; fewer cells where it has no contract. */
export function reportRow(report: ToolReport): readonly Cell[] {
  const { name, privileged, contractDigest, input, output, patterns, fitness, faults, form } = report;
  const state: Tone = faults.length > 0 ? 'bad' : 'strong';
  if (input === undefined || fitness === undefined || contractDigest === undefined) {
    return [
      { text: safeText(name, 80), tone: state },
      { text: form === 'hosted' ? 'hosted' : 'refused', tone: form === 'hosted' ? 'quiet' : 'bad' },
    ];
  }
  const notes = input.notes.length + (output?.notes.length ?? 0);
  return [
    { text: safeText(name, 80), tone: state },
    { text: privileged ? `${report.class}, privileged` : report.class },
    { text: contractDigest.slice('sha256:'.length, 'sha256:'.length + DIGEST_DIGITS), tone: 'quiet' },
    { text: formatCount(input.bytes) },
    { text: formatCount(input.depth) },
    { text: formatCount(patterns?.length ?? 0) },
    notes > 0 ? { text: formatCount(notes), tone: 'warning' } : { text: '0' },
    ...PROVIDERS.map((provider) => fitnessCell(fitness[provider])),
  ];
}

function fitnessCell({ verdict, schema }: FitnessReport): Cell {
  return { text: schema === 'strict' ? `${verdict}, strict` : verdict, tone: VERDICT_TONES[verdict] };
}

/** Digest, notes, patterns and reasons of one tool. */
export function formatDetails(report: ToolReport, paint: Paint): string {
  const lines: string[] = [];
  const line = (label: string, text: string): void => {
    lines.push(`  ${paint('quiet', label.padEnd(9))}  ${text}\n`);
  };
  if (report.alias !== undefined) line('alias', report.alias);
  if (report.contractDigest !== undefined) line('contract', report.contractDigest);
  if (report.hints !== undefined) line('says', safeText(describeHints(report.hints)));
  for (const note of report.input?.notes ?? []) line('input', describeNote(note));
  for (const note of report.output?.notes ?? []) line('output', describeNote(note));
  for (const { pointer, source, verdict } of report.patterns ?? []) {
    line('pattern', `${verdict}  ${safeText(pointer, 120)}  ${safeText(source, 120)}`);
  }
  for (const provider of PROVIDERS) {
    for (const reason of report.fitness?.[provider].reasons ?? []) line(provider, safeText(reason));
  }
  return lines.length === 0 ? '' : `\n${paint('strong', safeText(report.name, 80))}\n${lines.join('')}`;
}

function describeNote({ kind, pointer, detail }: IntakeNote): string {
  return `${kind}  ${safeText(pointer === '' ? '(root)' : pointer, 120)}  ${safeText(detail)}`;
}

function describeHints(hints: ToolAnnotations): string {
  return Object.entries(hints)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

function summary(reports: readonly ToolReport[], paint: Paint): string {
  const wrong = reports.filter(({ faults }) => faults.length > 0).length;
  const notes = reports.reduce(
    (sum, { input, output }) => sum + (input?.notes.length ?? 0) + (output?.notes.length ?? 0),
    0,
  );
  const errors = wrong === 0 ? paint('good', 'no errors') : paint('bad', `${formatCount(wrong)} with errors`);
  return `${countOf(reports.length, 'tool')}, ${errors}, ${countOf(notes, 'note')}`;
}

function at(pointer: string | undefined): string {
  return pointer === undefined || pointer === '' ? '' : ` at ${safeText(pointer, 120)}`;
}
