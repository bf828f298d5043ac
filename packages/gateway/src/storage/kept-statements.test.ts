import type { SqliteStatement } from 'kysely';
import { expect, test } from 'vitest';
import { createKeptStatements } from './kept-statements.ts';

/** Statements of nothing; what they run may fail. */
function compiler(): {
  readonly compiled: string[];
  failing: boolean;
  readonly prepare: (sql: string) => SqliteStatement;
} {
  const state = {
    compiled: [] as string[],
    failing: false,
    prepare: (sql: string): SqliteStatement => {
      state.compiled.push(sql);
      return {
        reader: false,
        all: () => [],
        iterate: () => [].values(),
        run: () => {
          if (state.failing) throw new Error('disk full');
          return { changes: 1, lastInsertRowid: 1 };
        },
      };
    },
  };
  return state;
}

test('an insert is compiled once, everything else each time', () => {
  const { compiled, prepare } = compiler();
  const kept = createKeptStatements(prepare);
  const texts = ['insert into a values (?)', 'select 1', 'insert into a values (?) returning id'];
  for (const sql of [...texts, ...texts]) kept.of(sql);
  expect(compiled).toEqual([...texts, 'select 1', 'insert into a values (?) returning id']);
});

test('an insert that failed is not used again', () => {
  const state = compiler();
  const kept = createKeptStatements(state.prepare);
  const sql = 'insert into a values (?)';
  expect(kept.of(sql).run([1])).toEqual({ changes: 1, lastInsertRowid: 1 });
  state.failing = true;
  expect(() => kept.of(sql).run([1])).toThrow('disk full');
  state.failing = false;
  kept.of(sql).run([1]);
  expect(state.compiled).toEqual([sql, sql]);
});

test('few are kept, those that were used last, and none in the end', () => {
  const { compiled, prepare } = compiler();
  const kept = createKeptStatements(prepare);
  const often = 'insert into a values (?)';
  for (let index = 0; index < 100; index++) {
    kept.of(often);
    kept.of(`insert into b values (${index})`);
  }
  expect(compiled.filter((sql) => sql === often)).toHaveLength(1);
  kept.of('insert into b values (0)');
  expect(compiled).toHaveLength(102);
  kept.clear();
  kept.of(often);
  expect(compiled).toHaveLength(103);
});
