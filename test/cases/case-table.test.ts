import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report, sharedFolder } from '../support/suites.ts';
import { citedTests, isThere, readRepositoryFile, tableRows } from './cited-tests.ts';

const rows = tableRows(readRepositoryFile('docs/cases.md') ?? '');

/** Areas whose reports are all in the table. */
const COMPLETE = [
  'agent-loop',
  'approvals',
  'arguments',
  'cancellation',
  'console',
  'control-tool',
  'errors',
  'gateway',
  'history',
  'json-safety',
  'mcp-client',
  'mcp-security',
  'mcp-server',
  'names',
  'parallel',
  'policy',
  'registry',
  'results',
  'retries',
  'schema',
  'streaming',
  'testing',
];

test('the table of reported faults has no id twice', () => {
  const ids = rows.map(([id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every report of the complete areas has a row', () => {
  const shared = sharedFolder();
  const file = shared === undefined ? undefined : join(shared, 'cases', 'cases.jsonl');
  if (file === undefined || !existsSync(file)) {
    report('reported faults: the collection is not here; the table was checked by itself');
    return;
  }
  const reports = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly id: string; readonly area: string });
  const ids = new Set(rows.map(([id]) => id));
  const complete = reports.filter(({ area }) => COMPLETE.includes(area));
  report(`reported faults: ${complete.length} of ${reports.length} are in complete areas`);
  expect(complete.filter(({ id }) => !ids.has(id))).toEqual([]);
});

test('every reported fault is shown by tests that exist, or says who will answer for it', () => {
  const faults = rows.flatMap(([id, , , where = '', cell = '']) => {
    const cited = citedTests(cell);
    if (cited.length === 0) return where.startsWith('later: ') && cell === '–' ? [] : [`${id}: no test`];
    const missing = cited
      .filter((one) => !isThere(one))
      .map(({ file, title }) => `${id}: ${file} › ${title}`);
    return cited.length === cell.split('<br>').length ? missing : [...missing, `${id}: ${cell}`];
  });
  expect(faults).toEqual([]);
});

test('a test that is not there is not found', () => {
  const [own] = citedTests('`test/cases/case-table.test.ts` › a test that is not there is not found');
  expect(own !== undefined && isThere(own)).toBe(true);
  expect(isThere({ file: 'test/cases/case-table.test.ts', title: 'a test that is not' })).toBe(false);
  expect(isThere({ file: 'test/cases/none.test.ts', title: 'x' })).toBe(false);
  expect(isThere({ file: 'packages/testing/corpus/results.jsonl', title: 'results/lone' })).toBe(false);
});
