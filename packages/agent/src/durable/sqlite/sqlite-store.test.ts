import { expect, test } from 'vitest';
import { openLibsql } from './sqlite-engine.ts';
import { createSqliteStore } from './sqlite-store.ts';

test('a journal keeps runs, entries and waits, and only the holder of a run may begin steps', () => {
  const store = createSqliteStore(openLibsql(':memory:'));
  const run = { runId: 'r', loopVersion: 1, input: '1', now: 0 };
  expect(store.createRun(run)).toBe(true);
  expect(store.createRun(run)).toBe(false);
  expect(store.claimableRuns(0, [1], 10)).toEqual(['r']);
  expect(store.claimableRuns(0, [2], 10)).toEqual([]);
  expect(store.claim('r', 'a', 0, 100)).toBe(1);
  expect(store.claim('r', 'b', 50, 100)).toBeUndefined();
  expect(store.claim('r', 'b', 100, 200)).toBe(2);
  const entry = { position: 0, name: 'n', op: 'o', effect: 'once' } as const;
  expect(store.begin('r', 1, [entry])).toBe(false);
  expect(store.begin('r', 2, [entry])).toBe(true);
  expect(store.settle('r', 0, '"first"')).toBe(true);
  expect(store.settle('r', 0, '"late"')).toBe(false);
  expect(store.readEntries('r')).toMatchObject([{ position: 0, outcome: '"first"', attempts: 1 }]);
  expect(store.openWait({ runId: 'r', key: 'k', deadline: 5, note: '2' }, 2)).toMatchObject({
    outcome: null,
  });
  store.park('r', 2, 'k', 5);
  expect(store.claimableRuns(4, [1], 10)).toEqual([]);
  expect(store.openWaits(10, 0)).toHaveLength(1);
  expect(store.answerWait('r', 'k', '3')).toBe('accepted');
  expect(store.answerWait('r', 'k', '4')).toBe('already');
  expect(store.claimableRuns(4, [1], 10)).toEqual(['r']);
  expect(store.end('r', 'any', 'cancelled', '{}')).toBe(true);
  expect(store.end('r', 'any', 'done', '{}')).toBe(false);
  expect(store.answerWait('r', 'other', '4')).toBe('unknown');
  store.close();
});
