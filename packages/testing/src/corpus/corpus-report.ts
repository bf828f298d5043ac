import type { Capability } from './capability.ts';
import { type CorpusGroup, corpusGroups } from './corpus-case.ts';
import type { Fault } from './judge.ts';

/** How one case went. */
export interface CaseResult {
  readonly id: string;
  readonly group: CorpusGroup;
  readonly title: string;
  /** `unsupported`: the system cannot express what the case needs. It was not run and is not passed. */
  readonly score: 'strict' | 'coarse' | 'failed' | 'unsupported';
  /** Empty when `score` is `strict` or `unsupported`. */
  readonly faults: readonly Fault[];
  /** What the system cannot express; empty unless `score` is `unsupported`. */
  readonly missing: readonly Capability[];
}

/** Counts of one group, or of everything. */
export interface CorpusCounts {
  readonly cases: number;
  /** Cases without any fault. */
  readonly strict: number;
  /** Cases without a coarse fault; those of `strict` are among them. */
  readonly coarse: number;
  readonly failed: number;
  readonly unsupported: number;
}

/** How a system did on the corpus. Plain JSON. */
export interface CorpusReport {
  readonly adapter: string;
  readonly total: CorpusCounts;
  readonly groups: readonly (CorpusCounts & { readonly group: CorpusGroup })[];
  /** In the order of the corpus. */
  readonly cases: readonly CaseResult[];
}

function countCases(cases: readonly CaseResult[]): CorpusCounts {
  const count = (...scores: readonly CaseResult['score'][]): number =>
    cases.filter(({ score }) => scores.includes(score)).length;
  return {
    cases: cases.length,
    strict: count('strict'),
    coarse: count('strict', 'coarse'),
    failed: count('failed'),
    unsupported: count('unsupported'),
  };
}

/** Sums up results. Groups without a case are left out. */
export function toCorpusReport(adapter: string, cases: readonly CaseResult[]): CorpusReport {
  return {
    adapter,
    total: countCases(cases),
    groups: corpusGroups
      .map((group) => ({ group, ...countCases(cases.filter((item) => item.group === group)) }))
      .filter((counts) => counts.cases > 0),
    cases,
  };
}

const HEADER = ['group', 'cases', 'strict', 'coarse', 'failed', 'unsupported'];

const cells = (name: string, counts: CorpusCounts): readonly string[] => [
  name,
  ...[counts.cases, counts.strict, counts.coarse, counts.failed, counts.unsupported].map(String),
];

/**
 * A report as text for a terminal: one row for each group, then each case that failed, with its faults.
 *
 * @param maxFaults - How many cases with faults are listed. Default 20; 0 leaves the list out.
 */
export function formatCorpusReport(report: CorpusReport, maxFaults = 20): string {
  const rows = [
    HEADER,
    ...report.groups.map((counts) => cells(counts.group, counts)),
    cells('total', report.total),
  ];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  const faulty = report.cases.filter(({ faults }) => faults.length > 0);
  const listed = faulty
    .slice(0, maxFaults)
    .flatMap(({ id, score, faults }) => [
      `${id} (${score})`,
      ...faults.map(({ callId, text }) => `  ${callId === undefined ? '' : `${callId} `}${text}`),
    ]);
  const more = maxFaults > 0 && faulty.length > maxFaults ? [`and ${faulty.length - maxFaults} more`] : [];
  return [report.adapter, ...table, ...listed, ...more].join('\n');
}
