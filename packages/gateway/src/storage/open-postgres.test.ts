import { connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { openStorage } from './open-storage.ts';
import type { Write } from './tables.ts';

const engine = storageEngines.find(({ name }) => name === 'PostgreSQL');

beforeAll(() => engine?.start(), 60_000);
afterAll(() => engine?.stop(), 60_000);

/** A way to a server that loses what is under way when it is told to, and lets new connections through. */
async function createWay(url: string) {
  const folder = new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
  const open = new Set<Socket>();
  const way = createServer((near) => {
    const far = connect(`${folder}/.s.PGSQL.5432`);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
    }
    near.pipe(far).pipe(near);
  });
  const cut = (): void => {
    for (const socket of open) socket.destroy();
    open.clear();
  };
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const address = way.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: url.replace('@/', `@127.0.0.1:${port}/`).replace(/\?.*$/u, '?statement_timeout=1000'),
    lose: () => {
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => way.close(resolve));
    },
  };
}

test.each<[string, (transaction: Write, cut: () => void) => Promise<unknown>]>([
  [
    'during a statement',
    async (transaction, cut) => {
      const slow = sql`select pg_sleep(30)`.execute(transaction);
      setImmediate(cut);
      await slow;
    },
  ],
  [
    'between two statements',
    async (transaction, cut) => {
      cut();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await sql`select 1`.execute(transaction);
    },
  ],
])('a connection that is cut %s of a transaction costs that one alone', async (_when, work) => {
  const way = await createWay((await engine?.createUrl()) ?? '');
  const storage = await openStorage(way.url);
  try {
    await expect(storage.write((transaction) => work(transaction, way.cut))).rejects.toMatchObject({
      code: 'gateway/storage-unavailable',
    });
    expect(await storage.ping()).toBe(true);
  } finally {
    await storage.close();
    await way.close();
  }
});

test('a connection that the network has lost without a word is given up, and the next one is a new one', async () => {
  const way = await createWay((await engine?.createUrl()) ?? '');
  const errors: unknown[] = [];
  const storage = await openStorage(way.url, { onError: (error) => errors.push(error) });
  try {
    expect(await storage.ping()).toBe(true);
    way.lose();
    expect(await storage.ping()).toBe(false);
    expect(errors).toContainEqual(expect.objectContaining({ code: 'gateway/storage-unavailable' }));
    expect(await storage.ping()).toBe(true);
  } finally {
    await storage.close();
    await way.close();
  }
});

test.each(['repeatable read', 'serializable'])(
  'gateways on a server whose transactions are %s write one chain',
  async (level) => {
    if (engine === undefined) throw new Error('there is PostgreSQL');
    const option = encodeURIComponent(`-c default_transaction_isolation=${level.replace(' ', '\\ ')}`);
    const url = `${await engine.createUrl()}&options=${option}`;
    const storages = [await openStorage(url), await openStorage(url)];
    const audits = storages.map((storage) => createAuditLog({ storage }));
    const entry = { kind: 'call-allow', actor: 'ana', data: {} } as const;
    for (let round = 0; round < 20; round += 1)
      await Promise.all(audits.map(async (audit) => audit.append(entry)));
    expect(await audits[0]?.verify()).toMatchObject({ ok: true, records: 40 });
    const found = await storages[0]?.read(async (database) =>
      sql`show transaction_isolation`.execute(database),
    );
    expect(found?.rows).toEqual([{ transaction_isolation: level }]);
    for (const each of [...audits, ...storages]) await each.close();
  },
);
