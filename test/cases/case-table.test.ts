import { expect, test } from 'vitest';
import { citedTests, isThere, readRepositoryFile, tableRows } from './cited-tests.ts';

const rows = tableRows(readRepositoryFile('docs/cases.md') ?? '');

test('the table of reported faults has a hundred rows, and no id twice', () => {
  const ids = rows.map(([id]) => id);
  expect(ids).toHaveLength(100);
  expect(new Set(ids).size).toBe(ids.length);
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
