import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_LOCK } from '@toolgate/mcp';
import { afterAll, expect, test } from 'vitest';
import { readMountLock } from './read-mount.ts';

const folder = mkdtempSync(join(tmpdir(), 'tg-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) =>
  readMountLock({ servers: new Map(), lock: { mode: 'require', path: join(folder, name) } });

test.each([
  [
    'edited',
    { s: { t: { digest: `sha256:${'0'.repeat(64)}`, definition: { name: 't', inputSchema: {} } } } },
    'At /servers/s/t.',
  ],
  ['no lock', [], 'At /servers.'],
])('a lock file that is %s is told with its name and the place in it', async (_what, servers, place) => {
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ version: 1, servers }));
  const fault: unknown = await read('own.json').catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: 'gateway/config-invalid', place: { pointer: '/mcp/lock' } });
  expect(String(fault)).toContain(`The lock file ${join(folder, 'own.json')} is not usable: `);
  expect(String(fault)).toContain(place);
});

test('a lock file that is not there holds no review', async () => {
  expect(await read('none.json')).toEqual({ mode: 'require', file: EMPTY_LOCK });
});
