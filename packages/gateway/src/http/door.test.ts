import { describe, expect, test } from 'vitest';
import { CLIENT_KEY, type TestGateway, testConfig, withGateway } from '../../test-support/gateway-fixture.ts';
import { type PostOptions, post } from '../../test-support/post.ts';
import { NO_GRANTS } from '../config/to-grants.ts';
import { keyDigest } from '../keys/key-text.ts';

const keys = [
  {
    id: 'slow',
    principal: 'ana',
    digest: keyDigest(CLIENT_KEY),
    grants: { ...NO_GRANTS, admin: true, limits: { requestsPerMinute: 1 } },
  },
] as const;
const setup = { providers: {}, config: { keys } };

/** The counters of a gateway that name what a test looks for. */
async function counted({ url }: TestGateway, name: string): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith(`${name}{`));
}

async function logged({ stores }: TestGateway) {
  await stores.traffic.flush();
  return (await stores.traffic.list()).items;
}

describe('a refusal at the door', () => {
  test.each<readonly [string, string, PostOptions & { readonly text?: string }, string, string, number]>([
    ['an unknown key', '/v1/messages', { key: 'tg_unknown_0123456789' }, 'anthropic', 'key_invalid', 401],
    [
      'a packed body',
      '/v1/responses',
      { headers: { 'content-encoding': 'compress' } },
      'openai-responses',
      'media_type_unsupported',
      415,
    ],
    [
      'another host',
      '/api/reload',
      { headers: { host: 'attacker.example' } },
      'admin',
      'host_forbidden',
      403,
    ],
    ['an address that is not there', '/v1/secret-of-a-client', {}, 'none', 'not_found', 404],
  ])('for %s is counted, and names nobody', async (_, path, options, surface, code, status) => {
    await withGateway(setup, async (gateway) => {
      expect((await post(`${gateway.url}${path}`, '{}', options)).status).toBe(status);
      expect(await counted(gateway, 'toolgate_request_errors_total')).toEqual([
        `toolgate_request_errors_total{surface="${surface}",code="${code}"} 1`,
      ]);
      expect((await counted(gateway, 'toolgate_requests_total')).join()).toMatch(`status="${status}"} 1`);
      expect(await logged(gateway)).toEqual([]);
      expect(gateway.traffic).toEqual([]);
    });
  });

  test.each([
    [
      'too large a body',
      '/v1/chat/completions',
      'x'.repeat(5 * 1024 * 1024),
      413,
      'body_too_large',
      'openai-chat',
    ],
    ['a server that is not there', '/mcp/none', '{}', 404, 'not_found', 'mcp'],
    ['a key in the address', '/v1/messages?key=x', '{}', 400, 'query_unsupported', 'anthropic'],
    ['a model that is not there', '/v1/models/none', '', 404, 'model_not_found', 'models'],
  ])('for %s is in the traffic log of its key', async (_, path, body, status, error, surface) => {
    await withGateway(setup, async (gateway) => {
      const method = body === '' ? 'GET' : 'POST';
      expect((await post(`${gateway.url}${path}`, body, { method })).status).toBe(status);
      const entry = { surface, principal: 'ana', keyId: 'slow', status, error, attempts: 0, generation: 1 };
      expect(await logged(gateway)).toMatchObject([entry]);
      expect(gateway.traffic).toMatchObject([entry]);
    });
  });

  test('for a rate that is used up is in both', async () => {
    await withGateway(setup, async (gateway) => {
      for (const status of [200, 429])
        expect((await post(`${gateway.url}/api/status`, '', { method: 'GET' })).status).toBe(status);
      expect(await logged(gateway)).toMatchObject([
        { surface: 'admin', route: 'showStatus', status: 429, error: 'rate_limited' },
        { surface: 'admin', route: 'showStatus', status: 200, principal: 'ana' },
      ]);
      expect(await counted(gateway, 'toolgate_requests_total')).toEqual([
        'toolgate_requests_total{surface="admin",route="showStatus",status="200"} 1',
        'toolgate_requests_total{surface="admin",route="showStatus",status="429"} 1',
      ]);
    });
  });

  test('is counted in no more series, whatever strangers ask for', async () => {
    await withGateway(setup, async (gateway) => {
      for (let index = 0; index < 20; index += 1) {
        await post(`${gateway.url}/nothing/${index}`, '{}', { key: `tg_unknown_${index}_0123456789` });
        await post(`${gateway.url}/api/calls/${index}`, '', { key: `tg_unknown_${index}`, method: 'GET' });
      }
      expect(await counted(gateway, 'toolgate_requests_total')).toHaveLength(2);
    });
  });
});

test('a model call is told once, by itself', async () => {
  await withGateway({ ...setup, config: { keys: testConfig(setup).keys } }, async (gateway) => {
    await post(`${gateway.url}/v1/chat/completions`, '{"model":"none","messages":[]}');
    expect(gateway.traffic).toHaveLength(1);
    expect(await logged(gateway)).toHaveLength(1);
    expect(await counted(gateway, 'toolgate_requests_total')).toHaveLength(1);
  });
});
