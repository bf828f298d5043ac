import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from './load-config.ts';

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

test.each([
  ['no file', () => join(folder, 'none.yaml')],
  ['a folder', () => folder],
  ['another kind', () => write('a.toml', '')],
  ['bytes that are not UTF-8', () => write('bad.yaml', Uint8Array.of(0x61, 0xff))],
])('%s is no configuration', async (_what, path) => {
  await expect(loadConfig(path(), { env: {} })).rejects.toThrow(
    expect.objectContaining({ code: 'gateway/config-unreadable' }),
  );
});
