import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import type { AuditLog } from '../ports/audit-log.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createAuditLog } from './audit-log.ts';

const COUNT = 250;

describe.each(storageEngines)('a table in $name whose key somebody took away', (engine) => {
  let storage: Storage;
  let audit: AuditLog;

  const run = async (statement: string): Promise<void> => {
    await storage.write(async (transaction) => sql`${sql.raw(statement)}`.execute(transaction));
  };
  const putIn = async (seq: string, like: number): Promise<void> =>
    run(
      `insert into toolgate_audit select ${seq}, at, kind, 'eve', data, previous, digest from toolgate_audit where seq = ${like}`,
    );

  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop(), 60_000);
  beforeEach(async () => {
    storage = await openStorage(await engine.createUrl());
    audit = createAuditLog({ storage });
    for (let index = 0; index < COUNT; index += 1)
      void audit.append({ kind: 'call-allow', actor: 'ana', data: { index } });
    await audit.head();
    await run('create table copy as select * from toolgate_audit order by seq');
    await run('drop table toolgate_audit');
    await run('alter table copy rename to toolgate_audit');
  });
  afterEach(async () => {
    await audit.close();
    await storage.close();
  });

  test('verifies as it is, and is read in order from any record on', async () => {
    expect(await audit.verify()).toMatchObject({ ok: true, records: COUNT });
    for (const after of [0, 1, 49, 50, 99, 100, 149, 150, 151, COUNT]) {
      const found: number[] = [];
      for await (const { seq } of audit.read(after)) found.push(seq);
      expect(found).toEqual(Array.from({ length: COUNT - after }, (_, index) => after + index + 1));
    }
  });

  test('is bad where a record was put in a second time, wherever that is', async () => {
    for (const seq of [99, 100, 101, 199, 200, COUNT]) {
      await putIn(String(seq), seq);
      const verdict = await audit.verify();
      expect(verdict).toMatchObject({ ok: false });
      // Which of the two comes first is for the database to say.
      expect(verdict).toMatchObject({ seq: expect.toBeOneOf([seq, seq + 1]) });
      await run(`delete from toolgate_audit where actor = 'eve'`);
    }
  });

  test('is bad where a record has no number, or one before all others', async () => {
    for (const seq of ['null', '-9007199254740993', '0']) {
      await putIn(seq, 7);
      expect(await audit.verify(), seq).toMatchObject({ ok: false });
      await run(`delete from toolgate_audit where actor = 'eve'`);
    }
    expect(await audit.verify()).toMatchObject({ ok: true, records: COUNT });
  });

  test('is exported to an end where a record was put in a thousand times', async () => {
    for (let copies = 1; copies < 1_000; copies *= 2)
      await run('insert into toolgate_audit select * from toolgate_audit where seq = 5');
    expect(await audit.verify()).toMatchObject({ ok: false });
    let lines = 0;
    for await (const _line of audit.export()) lines += 1;
    expect(lines).toBeLessThan(COUNT + 1_024);
  });
});
