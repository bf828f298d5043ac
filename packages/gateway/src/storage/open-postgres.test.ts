import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { openStorage } from './open-storage.ts';

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
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const address = way.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: url.replace('@/', `@127.0.0.1:${port}/`).replace(/\?.*$/u, '?statement_timeout=100'),
    lose: () => {
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => way.close(resolve));
    },
  };
}

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
