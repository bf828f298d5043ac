import type { CorpusAdapter } from './corpus-adapter.ts';
import type { CorpusCase } from './corpus-case.ts';
import { type CaseResult, type CorpusReport, toCorpusReport } from './corpus-report.ts';
import { neededCapabilities } from './needed-capabilities.ts';
import { readCorpus } from './read-corpus.ts';
import { runCase } from './run-case.ts';

/** Which cases to run, and how. */
export interface RunCorpusOptions {
  /** Default: the whole corpus of this package. */
  readonly cases?: readonly CorpusCase[];
  /** How long a system that keeps its own time may take for one turn, in milliseconds. Default 1,000. */
  readonly patienceMs?: number;
  /** Called after each case. */
  readonly onResult?: (result: CaseResult) => void;
}

async function scoreCase<System>(
  item: CorpusCase,
  adapter: CorpusAdapter<System>,
  patienceMs: number,
): Promise<CaseResult> {
  const { id, group, title } = item;
  const { supports } = adapter;
  const missing = neededCapabilities(item).filter(
    (one) => supports !== 'everything' && !supports.includes(one),
  );
  if (missing.length > 0) return { id, group, title, score: 'unsupported', faults: [], missing };
  const faults = await runCase(item, adapter, patienceMs);
  if (faults.length === 0) return { id, group, title, score: 'strict', faults, missing };
  const score = faults.every(({ level }) => level === 'strict') ? 'coarse' : 'failed';
  return { id, group, title, score, faults, missing };
}

/**
 * Puts every case of the corpus to a system, one after the other, and scores what it does.
 *
 * The runner counts executions and sees what handlers get by itself; it believes an adapter only what the model is
 * told. Tools that wait for ever are let go at the end of their case.
 *
 * @throws RangeError when a case names a behaviour that does not exist.
 */
export async function runCorpus<System>(
  adapter: CorpusAdapter<System>,
  options: RunCorpusOptions = {},
): Promise<CorpusReport> {
  const { cases = readCorpus(), patienceMs = 1_000, onResult } = options;
  const results: CaseResult[] = [];
  for (const item of cases) {
    const result = await scoreCase(item, adapter, patienceMs);
    results.push(result);
    onResult?.(result);
  }
  return toCorpusReport(adapter.name, results);
}
