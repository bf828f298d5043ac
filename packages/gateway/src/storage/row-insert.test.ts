import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { openStorage } from './open-storage.ts';
import { createRowInsert, type RowInsert } from './row-insert.ts';
import type { ColumnValue } from './steps.ts';
import type { Storage } from './storage.ts';

const COLUMNS = ['id', 'at', 'route', 'surface', 'entry'] as const;

/** Values of rows with the ids from one number to another. */
function rows(from: number, to: number): readonly ColumnValue[] {
  const values: ColumnValue[] = [];
  for (let id = from; id < to; id++)
    values.push(String(id), id, id % 2 === 0 ? null : `'"$1?\u{1f600}`, 'mcp', '{}');
  return values;
}

describe.each(storageEngines)('an insert of rows into $name', (engine) => {
  let storage: Storage;
  let insert: RowInsert;
  let insertOrFail: RowInsert;
  beforeAll(async () => {
    await engine.start();
    storage = await openStorage(await engine.createUrl());
    const rowsOf = { table: 'toolgate_traffic', columns: COLUMNS } as const;
    insert = createRowInsert({ ...rowsOf, duplicates: 'ignore' });
    insertOrFail = createRowInsert(rowsOf);
  }, 60_000);
  afterAll(async () => {
    await storage.close();
    await engine.stop();
  }, 60_000);

  const put = async (values: readonly ColumnValue[], how = insert): Promise<void> =>
    storage.writeSteps((kind) => how(kind, values), { soon: true });
  const stored = async (): Promise<readonly ColumnValue[]> => {
    const found = await storage.read(async (database) =>
      database.selectFrom('toolgate_traffic').select(COLUMNS).orderBy('at').execute(),
    );
    return found.flatMap((row) => COLUMNS.map((column) => row[column]));
  };

  test('writes each row once, however many there are and however often they come', async () => {
    let count = 0;
    for (const size of [0, 1, 49, 50, 51, 100, 260]) {
      const next = rows(count, count + size);
      await put(next);
      await put(next);
      count += size;
    }
    expect(await stored()).toEqual(rows(0, count));
  });

  test('fails as a whole where no row may be there already, and works afterwards', async () => {
    const before = await stored();
    const more = rows(10_000, 10_049);
    await expect(put([...more, ...rows(10_000, 10_001)], insertOrFail)).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/storage-unavailable' }),
    );
    expect(await stored()).toEqual(before);
    await put([...more, ...rows(10_049, 10_050)], insertOrFail);
    expect(await stored()).toEqual([...before, ...rows(10_000, 10_050)]);
  });
});
