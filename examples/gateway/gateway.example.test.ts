import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig, readConfig, readYamlText } from '@toolgate/gateway';
import { createProviderServer } from '@toolgate/testing/node';
import { afterAll, describe, expect, test } from 'vitest';
import { ask } from './client.example.ts';
import { startOwn } from './embed.example.ts';

const CONFIG = new URL('./toolgate.config.yaml', import.meta.url);
const env = {
  TEAM_KEY: 'team-key-0123456789',
  REVIEWER_KEY: 'reviewer-key-0123456789',
  OPENAI_API_KEY: 'provider-key',
};

const folder = mkdtempSync(join(tmpdir(), 'toolgate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a client gets its call when a reviewer has said yes', async () => {
  const provider = await createProviderServer({
    protocol: 'openai-chat',
    script: { turns: [{ calls: [{ name: 'send_mail', arguments: { to: 'ana' } }] }] },
    apiKey: env.OPENAI_API_KEY,
  });
  const path = join(folder, 'gateway.yaml');
  const text = readFileSync(CONFIG, 'utf8')
    .replace('port: 8787', 'port: 0')
    .replace('sqlite:gateway.db', `sqlite:${join(folder, 'gateway.db')}`);
  writeFileSync(path, text);
  const { close, stores, url } = await startOwn(path, { ...env, OPENAI_BASE_URL: provider.baseUrl });
  try {
    stores.approvals.subscribe(({ id, status }) => {
      if (status === 'pending') void stores.approvals.decide(id, { verdict: 'approve', by: 'ada' });
    });
    const message = await ask(url, env.TEAM_KEY, 'Tell Ana.');
    expect(message.tool_calls).toMatchObject([
      { function: { name: 'send_mail', arguments: '{"to":"ana"}' } },
    ]);
    expect((await stores.approvals.list()).items).toMatchObject([
      { status: 'approved', settlement: { by: 'ada' } },
    ]);
    expect(await stores.audit.verify()).toMatchObject({ ok: true });
  } finally {
    await close();
    await provider.close();
  }
});

/** Whatever a page names of the environment is set. */
function environmentOf(name: string): string {
  if (name === 'DATABASE_URL') return 'postgres://127.0.0.1/toolgate';
  return name.endsWith('_URL') ? 'https://example.test' : `value-of-${name}-0123456789`;
}

describe('every configuration that is shown', () => {
  test('in the examples is valid', async () => {
    expect(await checkConfig(CONFIG.pathname, { env })).toMatchObject({ kind: 'valid' });
  });

  const page = readFileSync(new URL('../../docs/gateway.md', import.meta.url), 'utf8');
  const fences = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gmu)].map(([, text = '']) => text);

  test('in the documents is there to be tried', () => {
    expect(fences.length).toBeGreaterThan(3);
  });

  test.each(fences.map((text, index) => [index + 1, text] as const))(
    'in the documents is valid: %i',
    (_number, text) => {
      const values = [...text.matchAll(/\$\{env:(\w+)\}/gu)].map(([, name = '']) => [
        name,
        environmentOf(name),
      ]);
      expect(readConfig(readYamlText(text), Object.fromEntries(values)).digest).toMatch(/^sha256:/u);
    },
  );
});
