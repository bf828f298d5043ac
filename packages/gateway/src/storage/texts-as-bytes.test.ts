import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStorage } from './open-storage.ts';
import type { Storage } from './storage.ts';
import type { CallTable } from './tables.ts';

const ROW: CallTable = {
  id: 'c1',
  at: 1_000,
  principal: 'zoë \u{1f600}',
  place: 'm',
  tool: 'find',
  verdict: 'allow',
  request_id: 'r1',
  entry: '\u{feff}{}',
  contents: null,
};

let storage: Storage;

beforeEach(async () => {
  storage = await openStorage('sqlite::memory:');
  await storage.write(async (transaction) => transaction.insertInto('toolgate_calls').values(ROW).execute());
});
afterEach(async () => storage.close());

const damage = async (column: string, value: string): Promise<void> => {
  await storage.write(async (transaction) =>
    sql`${sql.raw(`update toolgate_calls set ${column} = ${value}`)}`.execute(transaction),
  );
};
const stored = async (): Promise<readonly CallTable[]> =>
  storage.read(async (database) => database.selectFrom('toolgate_calls').selectAll().execute());

test('texts, numbers and what is not there come as they were written', async () => {
  expect(await stored()).toEqual([ROW]);
  const named = await storage.write(async (transaction) =>
    transaction
      .selectFrom('toolgate_calls')
      .select(['tool', 'toolgate_calls.principal', 'at', 'contents', 'tool as name'])
      .where('id', 'in', (inner) =>
        inner.selectFrom('toolgate_calls').select('id').where('tool', '=', 'find'),
      )
      .execute(),
  );
  expect(named).toEqual([
    { tool: 'find', principal: ROW.principal, at: 1_000, contents: null, name: 'find' },
  ]);
});

// What a broken disk makes of a text; the binding ended the whole process over the first two, and cut the third.
test.each<[string, string, string]>([
  ['bytes that are no text', "cast(x'ff' as text) || tool", '\u{fffd}find'],
  ['half a character', "tool || cast(x'c3' as text)", 'find\u{fffd}'],
  ['a zero byte', "tool || char(0) || 'x'", 'find\0x'],
])('a text with %s can be read, and is not what it was', async (_, value, read) => {
  await damage('tool', value);
  expect(await stored()).toEqual([{ ...ROW, tool: read }]);
  const one = await storage.read(async (database) =>
    database.selectFrom('toolgate_calls').select('tool').executeTakeFirst(),
  );
  expect(one).toEqual({ tool: read });
});

test('a number that somebody made a text of is one', async () => {
  await damage('at', "cast(x'ff' as text)");
  expect(await stored()).toEqual([{ ...ROW, at: '\u{fffd}' }]);
});
