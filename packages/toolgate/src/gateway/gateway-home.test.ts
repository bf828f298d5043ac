import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTemporaryFolder, type TemporaryFolder } from '../../test-support/temporary-folder.ts';
import { openGatewayHome, readLocalGateway } from './gateway-home.ts';

const folders: TemporaryFolder[] = [];
const temporary = (): string => {
  const folder = createTemporaryFolder();
  folders.push(folder);
  return folder.path;
};
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

test('gateways that start at once in a new folder have one key, and leave nothing else behind', async () => {
  const cwd = temporary();
  const homes = await Promise.all(Array.from({ length: 8 }, () => openGatewayHome(cwd)));
  const { adminKey } = (await readLocalGateway(cwd)) ?? {};
  expect(homes.map((home) => home.adminKey)).toEqual(homes.map(() => adminKey));
  const folder = join(cwd, '.toolgate');
  expect(readdirSync(folder).sort()).toEqual(['gateway.db', 'local.json']);
  expect(statSync(join(folder, 'local.json')).mode & 0o777).toBe(0o600);
});

test('an address is taken back by the gateway that published it last, and by no other', async () => {
  const cwd = temporary();
  const [first, second] = [await openGatewayHome(cwd), await openGatewayHome(cwd)];
  await first.publish('http://127.0.0.1:1');
  await second.publish('http://127.0.0.1:2');
  await first.withdraw('http://127.0.0.1:1');
  expect(await readLocalGateway(cwd)).toEqual({ url: 'http://127.0.0.1:2', adminKey: first.adminKey });
  await second.withdraw('http://127.0.0.1:2');
  expect(await readLocalGateway(cwd)).toEqual({ url: undefined, adminKey: first.adminKey });
});
