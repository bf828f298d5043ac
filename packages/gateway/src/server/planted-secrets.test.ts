import { describe, expect, test } from 'vitest';
import { ask } from '../../test-support/admin.ts';
import { answerOf, withRawProvider } from '../../test-support/ask-raw.ts';
import {
  CLIENT_KEY,
  type GatewaySetup,
  PROVIDER_KEY,
  type TestGateway,
  testConfig,
  testFirewall,
} from '../../test-support/gateway-fixture.ts';
import { hookReceiver } from '../../test-support/hook-receiver.ts';
import { serverConfig } from '../../test-support/mcp-fixture.ts';
import { openPost, post, type RawAnswered } from '../../test-support/post.ts';
import { sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, turnEvents } from '../../test-support/wire-samples.ts';
import { endpoints } from '../admin/endpoints.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { Secret } from '../config/secret.ts';
import { keyDigest } from '../keys/key-text.ts';

const CHAT = 'openai-chat';
const HOOK_SECRET = 'planted-webhook-secret';
const HEADER_SECRET = 'planted-mcp-header-secret';
const ENV_SECRET = 'planted-mcp-env-secret';
const ARGUMENT = 'planted-argument';
const SECRETS = [PROVIDER_KEY, CLIENT_KEY, HOOK_SECRET, HEADER_SECRET, ENV_SECRET];

/** Everything that the admin API shows, and the metrics. */
async function everythingShown(gateway: TestGateway): Promise<string> {
  const answers: RawAnswered[] = [];
  const get = async (path: string): Promise<void> => {
    answers.push(await post(`${gateway.url}${path}`, '', { method: 'GET' }));
  };
  for (const { method, path } of endpoints) if (method === 'GET' && !path.includes(':')) await get(path);
  const { items } = await gateway.stores.calls.list();
  for (const { id } of items) await get(`/api/calls/${id}`);
  for (const { id } of (await gateway.stores.traffic.list()).items) await get(`/api/traffic/${id}`);
  await get('/metrics');
  await get('/api/openapi.json');
  return JSON.stringify(answers);
}

describe('a planted secret', () => {
  test('is in no line, metric, refusal, message or answer of the admin API', async () => {
    const hook = await hookReceiver();
    const headers = new Map([['x-token', new Secret(HEADER_SECRET)]]);
    const http = { kind: 'http', url: new URL('http://127.0.0.1:1/mcp'), headers } as const;
    const env = new Map([['TOKEN', new Secret(ENV_SECRET)]]);
    const script = `process.stderr.write(process.env.TOKEN); process.exit(3)`;
    const stdio = {
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', script],
      env,
      cwd: undefined,
    } as const;
    const servers = new Map([
      serverConfig('far', http.url.href, { transport: http }),
      serverConfig('near', http.url.href, { transport: stdio }),
    ]);
    const lines: string[] = [];
    const setup: Omit<GatewaySetup, 'providers'> = {
      grants: { admin: true },
      routes: [
        {
          model: 'm',
          candidates: [{ provider: 'm', model: undefined }],
          firewall: testFirewall({ approve: { threshold: 'write', tools: [], lifetimeMs: 60_000 } }),
        },
      ],
      config: {
        mcp: { servers, lock: { mode: 'off', path: '' } },
        approvals: {
          lifetimeMs: 60_000,
          fourEyes: false,
          webhook: { url: hook.url, secret: new Secret(HOOK_SECRET), contents: false },
        },
      },
      options: {
        log: (line) => lines.push(line),
        source: (): Promise<GatewayConfig> => Promise.reject(new Error(`cannot read ${PROVIDER_KEY}`)),
      },
    };
    const calls = [{ id: 'c1', arguments: `{"path":"${ARGUMENT}"}` }];
    const echo = { error: { message: `no such key: ${PROVIDER_KEY}`, key: PROVIDER_KEY } };
    const turns = [
      answerOf(CHAT, true, turnEvents(calls)),
      sendJson(JSON.stringify(echo), 401),
      sendJson(JSON.stringify(echo), 400),
      sendJson(`{"oops": "${PROVIDER_KEY}"`),
    ];
    await withRawProvider(CHAT, turns, setup, async (gateway) => {
      const answers: string[] = [];
      const held = await openPost(`${gateway.url}/v1/chat/completions`, oddRequest(CHAT, true));
      const rest = held.rest();
      await expect.poll(async () => (await gateway.stores.approvals.list()).items.length).toBe(1);
      const [pending] = (await gateway.stores.approvals.list()).items;
      await ask(gateway, `/api/approvals/${pending?.id ?? ''}/decline`, { reason: 'no' });
      answers.push((await rest).body);
      for (let turn = 0; turn < 3; turn += 1) {
        answers.push(
          JSON.stringify(await post(`${gateway.url}/v1/chat/completions`, oddRequest(CHAT, true))),
        );
      }
      answers.push(JSON.stringify(await ask(gateway, '/api/reload', {})));
      await Promise.all([gateway.stores.calls.flush(), gateway.stores.traffic.flush()]);
      await expect.poll(() => hook.received.length).toBe(2);
      const shown = [...answers, ...lines, await everythingShown(gateway), JSON.stringify(hook.received)];
      expect(lines.length).toBeGreaterThan(5);
      for (const secret of SECRETS) expect(shown.filter((text) => text.includes(secret))).toEqual([]);
      for (const text of [...lines, ...shown.slice(answers.length)]) expect(text).not.toContain(ARGUMENT);
      for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
      const events = lines.map((line) => (JSON.parse(line) as { readonly event: string }).event);
      for (const event of [
        'gateway-start',
        'config-load',
        'config-refuse',
        'mcp-failed',
        'mcp-problem',
        'request',
      ])
        expect(events).toContain(event);
      expect(hook.received.every(({ signature }) => signature.startsWith('v1,'))).toBe(true);
    });
  });

  test('that is no key of ours, or no longer one, is repeated nowhere, nor is its digest', async () => {
    const lines: string[] = [];
    const setup = { grants: { admin: true }, options: { log: (line: string) => void lines.push(line) } };
    await withRawProvider(CHAT, [], setup, async (gateway) => {
      const made = await gateway.stores.keys.create({ principal: 'bob', by: 'root' });
      await gateway.stores.keys.revoke(made.record.id, 'root');
      const shown: string[] = [];
      for (const key of [made.key, 'planted-key-of-another-gateway']) {
        for (const path of [
          '/v1/chat/completions',
          '/v1/messages',
          '/v1beta/models/m:generateContent',
          '/mcp',
        ])
          shown.push(JSON.stringify(await post(`${gateway.url}${path}`, oddRequest(CHAT, false), { key })));
        shown.push(JSON.stringify(await post(`${gateway.url}/api/keys`, '', { method: 'GET', key })));
      }
      await gateway.stores.traffic.flush();
      expect(new Set(shown.map((text) => (JSON.parse(text) as RawAnswered).status))).toEqual(new Set([401]));
      shown.push(...lines, await everythingShown(gateway));
      for (const key of [made.key, 'planted-key-of-another-gateway']) {
        const secret = key.slice(-20);
        for (const part of [secret, keyDigest(key), keyDigest(key).slice('sha256:'.length)])
          expect(shown.filter((text) => text.includes(part))).toEqual([]);
      }
    });
  });

  test('of the configuration is printed by nothing that prints a configuration', () => {
    const printed = JSON.stringify([
      ...testConfig({ providers: { m: { protocol: CHAT, baseUrl: 'http://x' } } }).providers,
    ]);
    expect(printed).toContain('[secret]');
    expect(printed).not.toContain(PROVIDER_KEY);
  });
});
