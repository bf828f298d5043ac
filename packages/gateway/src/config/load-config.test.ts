import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readYamlText } from './config-text.ts';
import { loadConfig } from './load-config.ts';
import { readConfig } from './read-config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tg-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test.each([
  ['a.yaml', 'listen: { port: 81 }'],
  ['a.YML', 'listen:\n  port: 81'],
  ['a.json', '{"listen":{"port":81}}'],
])('%s is read', async (name, content) => {
  expect((await loadConfig(write(name, content), { env: {} })).listen.port).toBe(81);
});

test('a module is run by whoever may do so, and by nobody else', async () => {
  const path = write('a.mjs', 'export default {}');
  await expect(loadConfig(path, { env: {} })).rejects.toThrow(
    expect.objectContaining({ code: 'gateway/config-unreadable' }),
  );
  for (const exported of [{ default: { listen: { port: 82 } } }, { config: { listen: { port: 82 } } }]) {
    const config = await loadConfig(path, { env: {}, importModule: async () => exported });
    expect(config.listen.port).toBe(82);
  }
  await expect(loadConfig(path, { env: {}, importModule: async () => ({}) })).rejects.toThrow(
    expect.objectContaining({ code: 'gateway/config-invalid' }),
  );
});

const madeFolder = (name: string): string => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};

test.each([
  ['no file', 'there is no such file', () => join(folder, 'none.yaml')],
  ['a folder', 'is a .yaml, .json or module file', () => folder],
  ['a folder that is called like one', 'it is a folder', () => madeFolder('folder.yaml')],
  ['another kind', 'is a .yaml, .json or module file', () => write('a.toml', '')],
  ['bytes that are not UTF-8', 'it is not UTF-8', () => write('bad.yaml', Uint8Array.of(0x61, 0xff))],
])('%s is no configuration, and it is said why', async (_what, why, pathOf) => {
  const path = pathOf();
  const fault: unknown = await loadConfig(path, { env: {} }).catch((error: unknown) => error);
  expect(fault).toMatchObject({
    code: 'gateway/config-unreadable',
    message: expect.stringMatching(
      new RegExp(`^The configuration \\S+/${basename(path)} cannot be read: .*${why}`, 'u'),
    ),
  });
});

const PATHS = `
storage: { url: "sqlite:data/$\{env:NAME}" }
mcp:
  lock: { path: ../reviewed.json }
  servers:
    here: { command: ./serve }
    there: { command: serve, cwd: "$\{env:NAME}" }
`;

test('relative paths begin at the folder of the file, wherever the process runs', async () => {
  const env = { NAME: 'work' };
  const { mcp, storage } = await loadConfig(relative(process.cwd(), write('paths.yaml', PATHS)), { env });
  expect(storage.url.reveal()).toBe(`sqlite:${join(folder, 'data', 'work')}`);
  expect(mcp.lock.path).toBe(join(folder, '..', 'reviewed.json'));
  expect(mcp.servers.get('here')?.transport).toMatchObject({ command: './serve', cwd: folder });
  expect(mcp.servers.get('there')?.transport).toMatchObject({ cwd: join(folder, 'work') });
  const defaults = await loadConfig(write('defaults.yaml', 'routes: []'), { env });
  expect(defaults.storage.url.reveal()).toBe(`sqlite:${join(folder, '.toolgate', 'gateway.db')}`);
  expect(defaults.mcp.lock.path).toBe(join(folder, 'toolgate.lock.json'));
});

test.each(['sqlite::memory:', 'sqlite:/srv/gateway.db', 'postgres://db.example.test/gateway'])(
  'the storage %s is no relative path',
  async (url) => {
    const { storage } = await loadConfig(write('url.yaml', `storage: { url: "${url}" }`), { env: {} });
    expect(storage.url.reveal()).toBe(url);
  },
);

test('a configuration that came from no file keeps its paths as they are', () => {
  const { mcp, storage } = readConfig(readYamlText(PATHS), { NAME: 'work' });
  expect([storage.url.reveal(), mcp.lock.path]).toEqual(['sqlite:data/work', '../reviewed.json']);
  expect(mcp.servers.get('here')?.transport).toMatchObject({ cwd: undefined });
});
