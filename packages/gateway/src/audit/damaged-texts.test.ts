import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditLog } from '../ports/audit-log.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createAuditLog } from './audit-log.ts';

let storage: Storage;
let audit: AuditLog;

beforeEach(async () => {
  storage = await openStorage('sqlite::memory:');
  audit = createAuditLog({ storage });
  for (let index = 0; index < 8; index += 1)
    void audit.append({ kind: 'call-allow', actor: 'zoë', data: { note: 'zürich \u{1f600}' } });
  await audit.head();
});
afterEach(async () => {
  await audit.close();
  await storage.close();
});

const run = async (statement: string): Promise<void> => {
  await storage.write(async (transaction) => sql`${sql.raw(statement)}`.execute(transaction));
};

// What a broken disk makes of a text, and what the binding would not show.
test.each([
  ['bytes that are no text', "cast(x'ff' as text) || "],
  ['half a character', "cast(x'c3' as text) || "],
  ['more behind a zero byte', ''],
])('a record with %s in any of its texts is named, and ends nothing', async (_, before) => {
  await run('drop trigger toolgate_audit_no_update');
  for (const column of ['kind', 'actor', 'data', 'previous', 'digest']) {
    await run('create table kept as select * from toolgate_audit where seq = 4');
    const after = before === '' ? " || char(0) || 'x'" : '';
    await run(`update toolgate_audit set ${column} = ${before}${column}${after} where seq = 4`);
    expect(await audit.verify(), column).toMatchObject({ ok: false, seq: 4 });
    const reading = (async () => {
      for await (const _line of audit.export(3));
    })();
    const isCut = before === '' && column === 'actor';
    if (!isCut)
      await expect(reading, column).rejects.toThrow(
        expect.objectContaining({ code: 'gateway/record-unreadable' }),
      );
    await run(`update toolgate_audit set ${column} = (select ${column} from kept) where seq = 4`);
    await run('drop table kept');
  }
  expect(await audit.verify()).toMatchObject({ ok: true, records: 8 });
});

test('numbers that are texts, whatever their bytes, are named', async () => {
  await run('drop trigger toolgate_audit_no_update');
  for (const column of ['at', 'seq']) {
    await run(`update toolgate_audit set ${column} = cast(x'ff' as text) where seq = 8`);
    expect(await audit.verify(), column).toMatchObject({ ok: false, seq: 8, fault: 'unreadable' });
  }
});

test.each(['seq', 'digest'])('a head whose %s is no text is refused, and ends nothing', async (column) => {
  await run(`update toolgate_audit_head set ${column} = cast(x'ff' as text)`);
  const refused = expect.objectContaining({ code: 'gateway/storage-invalid' });
  await expect(audit.append({ kind: 'call-allow', actor: 'ana', data: {} })).rejects.toThrow(refused);
  await expect(audit.head()).rejects.toThrow(refused);
  expect(await audit.verify()).toEqual({ ok: false, seq: 9, fault: 'unreadable' });
});
