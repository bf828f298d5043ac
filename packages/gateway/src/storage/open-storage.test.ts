import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { openStorage } from './open-storage.ts';
import type { Steps } from './steps.ts';

describe.each(storageEngines)('a database of $name', (engine) => {
  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop(), 60_000);

  test('is made ready by several gateways that start at once, and by nobody twice', async () => {
    const url = await engine.createUrl();
    const opened = await Promise.all(Array.from({ length: 4 }, () => openStorage(url)));
    const [first] = opened;
    const ran = await first?.read(async (database) =>
      sql<{ name: string }>`select name from toolgate_migrations`.execute(database),
    );
    expect(ran?.rows.map(({ name }) => name)).toEqual([
      '0001-first-edition',
      '0002-approvals-of-whom',
      '0003-traffic-without-contents',
    ]);
    for (const each of opened) {
      expect(await each.ping()).toBe(true);
      await each.close();
      expect(await each.ping()).toBe(false);
    }
    const again = await openStorage(url);
    expect(await again.ping()).toBe(true);
    await again.close();
  });

  test('without an audit is not made one where it has to be there', async () => {
    const url = await engine.createUrl();
    const full = await openStorage(url);
    const opened = await openStorage(url, { existing: true });
    expect(await opened.ping()).toBe(true);
    await opened.close();
    await full.write(async (transaction) => sql`drop table toolgate_audit_head`.execute(transaction));
    const missing = expect.objectContaining({ code: 'gateway/storage-invalid' });
    for (let times = 0; times < 2; times++)
      await expect(openStorage(url, { existing: true })).rejects.toThrow(missing);
    await full.close();
  });

  test('that a newer edition changed is left alone', async () => {
    const url = await engine.createUrl();
    const storage = await openStorage(url);
    await storage.write(async (transaction) =>
      sql`insert into toolgate_migrations (name, timestamp) values ('9999-later', '2099-01-01T00:00:00.000Z')`.execute(
        transaction,
      ),
    );
    await storage.close();
    await expect(openStorage(url)).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/storage-invalid' }),
    );
  });

  test('keeps all of a transaction or nothing, and reports faults without their text', async () => {
    const storage = await openStorage(await engine.createUrl());
    const insert = sql`insert into toolgate_audit (seq, at, kind, actor, data, previous, digest)
      values (1, 1, 'k', 'planted-secret', '{}', 'p', 'd')`;
    const twice = storage.write(async (transaction) => {
      await insert.execute(transaction);
      await insert.execute(transaction);
    });
    const fault: unknown = await twice.catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: 'gateway/storage-unavailable' });
    expect(`${String(fault)} ${JSON.stringify(fault)}`).not.toContain('planted-secret');
    const own = new Error('mine');
    await expect(
      storage.write(async (transaction) => {
        await insert.execute(transaction);
        throw Object.assign(own, { code: 'gateway/closed' });
      }),
    ).rejects.toBe(own);
    const left = await storage.read(async (database) =>
      database.selectFrom('toolgate_audit').selectAll().execute(),
    );
    expect(left).toEqual([]);
    await storage.close();
    await expect(storage.read(async () => 1)).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/closed' }),
    );
  });

  test.each([true, false])('takes steps all or none, with the rows of each (soon: %s)', async (soon) => {
    const storage = await openStorage(await engine.createUrl());
    const add = 'insert into toolgate_audit (seq, at, kind, actor, data, previous, digest)';
    function* steps(seq: number, end: 'duplicate' | 'thrown' | undefined): Steps<readonly unknown[]> {
      yield { sql: `${add} values (${seq}, 1, 'k', 'a', '{}', 'p${seq}', 'd${seq}')`, parameters: [] };
      if (end === 'thrown') throw Object.assign(new Error('mine'), { code: 'gateway/closed' });
      const again = `${add} values (${seq}, 1, 'k', 'a', '{}', 'p', 'd')`;
      if (end === 'duplicate') yield { sql: again, parameters: [] };
      return yield { sql: 'select seq from toolgate_audit order by seq', parameters: [] };
    }
    expect(await storage.writeSteps(() => steps(1, undefined), { soon })).toEqual([{ seq: 1 }]);
    await expect(storage.writeSteps(() => steps(2, 'duplicate'), { soon })).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/storage-unavailable' }),
    );
    await expect(storage.writeSteps(() => steps(3, 'thrown'), { soon })).rejects.toThrow('mine');
    expect(await storage.writeSteps(() => steps(4, undefined), { soon })).toEqual([{ seq: 1 }, { seq: 4 }]);
    if (storage.kind === 'sqlite') {
      const level = await storage.read(async (database) => sql`pragma synchronous`.execute(database));
      expect(level.rows).toEqual([{ synchronous: 2 }]);
    }
    await storage.close();
    await expect(storage.writeSteps(() => steps(5, undefined))).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/closed' }),
    );
  });

  test('takes steps only when no other transaction is open', async () => {
    const storage = await openStorage(await engine.createUrl());
    const order: string[] = [];
    function* head(): Steps<void> {
      order.push('steps');
      yield { sql: 'update toolgate_audit_head set seq = seq + 1 where id = 1', parameters: [] };
    }
    let stepped: Promise<void> | undefined;
    await storage.write(async (transaction) => {
      await sql`update toolgate_audit_head set seq = 10 where id = 1`.execute(transaction);
      stepped = storage.writeSteps(head).then(() => void order.push('stepped'));
      await sql`update toolgate_audit_head set seq = 20 where id = 1`.execute(transaction);
      order.push('written');
    });
    await stepped;
    expect(order.indexOf('stepped')).toBe(2);
    const rows = await storage.read(async (database) =>
      database.selectFrom('toolgate_audit_head').select('seq').execute(),
    );
    expect(rows).toEqual([{ seq: 21 }]);
    await storage.close();
  });

  test('gives numbers as numbers, also those above 2^32', async () => {
    const storage = await openStorage(await engine.createUrl());
    const large = Number.MAX_SAFE_INTEGER;
    await storage.write(async (transaction) =>
      transaction.updateTable('toolgate_audit_head').set({ seq: large }).execute(),
    );
    const head = await storage.read(async (database) =>
      database.selectFrom('toolgate_audit_head').select('seq').executeTakeFirst(),
    );
    expect(head).toEqual({ seq: large });
    await storage.close();
  });
});

describe('a storage URL', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tg-storage-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['', 'gateway/storage-invalid'],
    ['sqlite:', 'gateway/storage-invalid'],
    ['mysql://planted-secret@host/db', 'gateway/storage-invalid'],
    ['postgres://planted-secret:planted-secret@127.0.0.1:1/db', 'gateway/storage-unavailable'],
    ['sqlite:/dev/null/planted-secret.db', 'gateway/storage-unavailable'],
  ])('like %j fails without being shown', async (url, code) => {
    const fault: unknown = await openStorage(url).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code });
    expect(`${String(fault)} ${JSON.stringify(fault)}`).not.toContain('planted-secret');
  });

  test('of a file makes its folder, and nobody else may read what is in it', async () => {
    const path = join(folder, 'a', 'b', 'gateway.db');
    const storage = await openStorage(`sqlite:${path}`);
    const modes = ['', '-wal', '-shm'].map((end) => statSync(`${path}${end}`).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
    await storage.close();
  });

  test.each(['gateway.db', 'gateway.db-wal'])(
    'of a file writes nothing after %s was moved away',
    async (name) => {
      const path = join(folder, name.replace('.', '-'), 'gateway.db');
      const storage = await openStorage(`sqlite:${path}`);
      function* noSteps(): Steps<void> {}
      const write = (seq: number): Promise<unknown> =>
        storage.write(async (transaction) =>
          transaction.updateTable('toolgate_audit_head').set({ seq }).execute(),
        );
      await write(1);
      const file = join(dirname(path), name);
      renameSync(file, `${file}.old`);
      for (const there of [false, true]) {
        if (there) copyFileSync(`${file}.old`, file);
        await expect(write(2)).rejects.toThrow(
          expect.objectContaining({ code: 'gateway/storage-unavailable' }),
        );
        await expect(storage.writeSteps(noSteps, { soon: true })).rejects.toThrow(
          expect.objectContaining({ code: 'gateway/storage-unavailable' }),
        );
        expect(await storage.ping()).toBe(false);
      }
      renameSync(`${file}.old`, file);
      expect(await storage.ping()).toBe(true);
      await write(3);
      await storage.close();
    },
  );

  test('of a file that has to be there makes none, and changes nothing of another database', async () => {
    const path = join(folder, 'none.db');
    await expect(openStorage(`sqlite:${path}`, { existing: true })).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/storage-unavailable' }),
    );
    expect(existsSync(path)).toBe(false);
    const foreign = new Libsql(path);
    foreign.exec('create table theirs (a)');
    foreign.close();
    const before = readFileSync(path);
    await expect(openStorage(`sqlite:${path}`, { existing: true })).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/storage-invalid' }),
    );
    expect(readFileSync(path)).toEqual(before);
  });

  test('of a file that was closed has everything in the file itself', async () => {
    const path = join(folder, 'closed.db');
    const storage = await openStorage(`sqlite:${path}`);
    await storage.write(async (transaction) =>
      transaction.updateTable('toolgate_audit_head').set({ seq: 7 }).execute(),
    );
    await storage.close();
    const copy = join(folder, 'copy.db');
    copyFileSync(path, copy);
    const opened = await openStorage(`sqlite:${copy}`, { existing: true });
    const heads = opened.read(async (database) =>
      database.selectFrom('toolgate_audit_head').select('seq').execute(),
    );
    expect(await heads).toEqual([{ seq: 7 }]);
    await opened.close();
  });

  test('of a file that is no database fails', async () => {
    const path = join(folder, 'text.db');
    writeFileSync(
      path,
      'this is a text and no database, and it is long enough to be read as a header of one\n'.repeat(20),
    );
    await expect(openStorage(`sqlite:${path}`)).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/storage-unavailable' }),
    );
  });
});
