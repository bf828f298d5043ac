import { describe, expect, test } from 'vitest';
import { corpusGroups } from '../corpus/corpus-case.ts';
import { formatCorpusReport } from '../corpus/corpus-report.ts';
import { readCorpus } from '../corpus/read-corpus.ts';
import { runCorpus } from '../corpus/run-corpus.ts';
import { createCoreAdapter } from './core-adapter.ts';

describe.each(['execute', 'executeAll'] as const)('the core, by %s', (path) => {
  test.each(corpusGroups)('has no fault in any case of %s', async (group) => {
    const cases = readCorpus([group]);
    const report = await runCorpus(createCoreAdapter(path), { cases });
    const faulty = report.cases.filter(({ score }) => score !== 'strict').map(({ id }) => id);
    expect(faulty, formatCorpusReport(report)).toEqual([]);
    expect(report.total.strict).toBe(cases.length);
  });
});
