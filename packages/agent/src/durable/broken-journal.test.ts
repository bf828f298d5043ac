import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue } from '@toolgate/core';
import { createFakeClock } from '@toolgate/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJournalHost } from './journal-host.ts';
import type { JournalStore } from './journal-store.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Loop } from './port.ts';
import { openLibsql } from './sqlite/sqlite-engine.ts';
import { createSqliteStore } from './sqlite/sqlite-store.ts';

/** A store whose methods fail as a list says: before they did their work, or after it was on the disk. */
function failing(store: JournalStore, faults: readonly ('before' | 'after' | 'none')[]): JournalStore {
  let next = 0;
  return new Proxy(store, {
    get: (target, name: keyof JournalStore) => {
      if (name === 'close') return target[name];
      return (...parameters: readonly unknown[]) => {
        const fault = faults[next++] ?? 'none';
        if (fault === 'before') throw new Error('SQLITE_BUSY: database is locked');
        const result: unknown = Reflect.apply(target[name], target, parameters);
        if (fault === 'after') throw new Error('SQLITE_IOERR: disk I/O error');
        return result;
      };
    },
  });
}

const step = (name: string) => ({
  name,
  op: 'work',
  input: name,
  effect: 'once' as const,
  timeoutMs: 60_000,
});

const threeSteps: Loop = {
  version: 1,
  run: async (run): Promise<JsonValue> => {
    const kinds: string[] = [];
    for (const name of ['a', 'b', 'c']) kinds.push((await run.call(step(name))).kind);
    return kinds;
  },
};

test('a journal that fails anywhere ends no run: each goes on to its end, and no effect happens twice', async () => {
  const fault = fc.oneof(
    { arbitrary: fc.constant('none' as const), weight: 3 },
    { arbitrary: fc.constantFrom('before' as const, 'after' as const), weight: 1 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 60 }), async (faults) => {
      const clock = createFakeClock();
      const effects: string[] = [];
      const errors: unknown[] = [];
      const store = createMemoryStore();
      store.createRun({ runId: 'r', loopVersion: 1, input: 'null', now: clock.now() });
      const host = createJournalHost(failing(store, faults), {
        loops: [threeSteps],
        handlers: { work: async (_, { key }) => effects.push(key) },
        onError: (error) => errors.push(error),
        clock,
        leaseMs: 1_000,
        pollMs: 100,
      });
      for (let round = 0; store.readRun('r')?.phase === 'running' && round < 1_000; round++) {
        await clock.advance(100);
      }
      const run = store.readRun('r');
      expect(run?.phase).toBe('done');
      const kinds = JSON.parse(run?.ending ?? '') as readonly string[];
      expect(kinds).toHaveLength(3);
      expect(new Set(effects).size).toBe(effects.length);
      // What is reported as done was done; only what nobody could write down is in doubt.
      kinds.forEach((kind, index) => {
        if (kind === 'ok') expect(effects).toContain(`r/${'abc'[index]}`);
        else expect(kind).toBe('in-doubt');
      });
      for (const error of errors) expect(String(error)).toMatch(/SQLITE_/);
      await host.close();
    }),
    { numRuns: 150 },
  );
});

test('what a handler gave is kept while the journal is locked for a moment', async () => {
  const clock = createFakeClock();
  const store = createMemoryStore();
  let locked = 3;
  const host = createJournalHost(
    {
      ...store,
      settle: (...given) => {
        if (locked-- > 0) throw new Error('SQLITE_BUSY: database is locked');
        return store.settle(...given);
      },
    },
    { loops: [threeSteps], handlers: { work: async () => 'done' }, clock, leaseMs: 60_000, pollMs: 100 },
  );
  await host.start('r', null);
  while (store.readRun('r')?.phase === 'running') await clock.advance(100);
  expect(JSON.parse(store.readRun('r')?.ending ?? '')).toEqual(['ok', 'ok', 'ok']);
  await host.close();
});

test('a result without a JSON form ends its run as failed, and does not run it again and again', async () => {
  const clock = createFakeClock();
  let attempts = 0;
  const host = createJournalHost(createMemoryStore(), {
    loops: [
      {
        version: 1,
        run: async () => {
          attempts++;
          return (() => undefined) as unknown as JsonValue;
        },
      },
    ],
    handlers: {},
    clock,
    pollMs: 100,
  });
  await host.start('r', null);
  for (let round = 0; round < 300; round++) await clock.advance(100);
  expect(await host.status('r')).toMatchObject({ phase: 'failed', error: { code: 'durable/loop-error' } });
  expect(attempts).toBe(1);
  await host.close();
});

test('a file that another connection keeps locked is waited for; the run goes on when it is free', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-locked-'));
  const path = join(folder, 'journal.db');
  const driver = openLibsql(path);
  const store = createSqliteStore(driver);
  driver.exec('PRAGMA busy_timeout = 1');
  const other = openLibsql(path);
  const errors: unknown[] = [];
  const clock = createFakeClock();
  store.createRun({ runId: 'r', loopVersion: 1, input: 'null', now: clock.now() });
  other.exec('BEGIN IMMEDIATE');
  const host = createJournalHost(store, {
    loops: [threeSteps],
    handlers: { work: async () => 'done' },
    onError: (error) => errors.push(error),
    clock,
    leaseMs: 1_000,
    pollMs: 100,
  });
  for (let round = 0; round < 5; round++) await clock.advance(100);
  expect(errors.length).toBeGreaterThan(0);
  other.exec('ROLLBACK');
  other.close();
  while (store.readRun('r')?.phase === 'running') await clock.advance(100);
  expect(JSON.parse(store.readRun('r')?.ending ?? '')).toEqual(['ok', 'ok', 'ok']);
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});
