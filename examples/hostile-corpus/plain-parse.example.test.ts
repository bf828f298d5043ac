import { expect, test } from 'vitest';
import { example } from './plain-parse.example.ts';

const { report, table } = example;

test('a loop around JSON.parse pays the amount that was written last', () => {
  expect(table.split('\n')[0]).toBe('a loop around JSON.parse');
  expect(report.cases.find(({ id }) => id === 'arguments/duplicate-amount')).toMatchObject({
    score: 'failed',
    faults: expect.arrayContaining([expect.objectContaining({ text: '"pay" ran 1 times, not 0' })]),
  });
  expect(report.total.failed).toBeGreaterThan(50);
});
