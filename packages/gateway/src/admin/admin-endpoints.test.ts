import { digest } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { ask, askPayment, at } from '../../test-support/admin.ts';
import { withRawProvider } from '../../test-support/ask-raw.ts';
import {
  type GatewaySetup,
  type TestGateway,
  testConfig,
  withGateway,
} from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, turnEvents, wireAnswer } from '../../test-support/wire-samples.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { createGateway } from '../server/create-gateway.ts';
import { openStores } from '../server/open-stores.ts';

const CHAT = 'openai-chat';

const withAdmin = <Result>(
  use: (gateway: TestGateway) => Promise<Result>,
  options: NonNullable<GatewaySetup['options']> = {},
): Promise<Result> => withGateway({ providers: {}, grants: { admin: true }, options }, use);

/** A gateway through which one call of a tool has gone. */
function withTraffic<Result>(
  contents: boolean,
  use: (gateway: TestGateway) => Promise<Result>,
): Promise<Result> {
  const answer = sendJson(wireAnswer(CHAT, turnEvents([{ id: 'c1', arguments: '{"path":"planted"}' }])));
  const setup: Omit<GatewaySetup, 'providers'> = {
    grants: { admin: true },
    config: { storage: { ...testConfig({ providers: {} }).storage, contents } },
  };
  return withRawProvider(CHAT, [answer], setup, async (gateway) => {
    await post(`${gateway.url}/v1/chat/completions`, oddRequest(CHAT, false));
    await Promise.all([gateway.stores.calls.flush(), gateway.stores.traffic.flush()]);
    return use(gateway);
  });
}

const APPROVED = {
  at: 1,
  requestId: 'r',
  origin: 'llm',
  place: 'chat',
  principal: 'ana',
  keyId: 'client',
  callId: 'c',
  tool: 'pay',
  verdict: 'allowed',
  reason: 'approved',
} as const;

const kindsOf = async ({ stores }: TestGateway): Promise<readonly string[]> => {
  const kinds = [];
  for await (const { kind } of stores.audit.read()) kinds.push(kind);
  return kinds;
};

describe('calls and traffic', () => {
  test('are listed without contents, and shown with them where they are kept, which is audited', async () => {
    await withTraffic(true, async (gateway) => {
      const calls = await ask(gateway, '/api/calls?verdict=allowed&tool=find&since=1');
      expect(calls.body).toMatchObject({
        items: [{ tool: 'find', origin: 'llm', place: 'm', principal: 'ana', verdict: 'allowed' }],
      });
      expect(JSON.stringify(calls.body)).not.toContain('planted');
      const id = String(at(calls.body, 'items', 0, 'id'));
      const shown = await ask(gateway, `/api/calls/${id}`);
      expect(shown.body).toMatchObject({ id, arguments: '{"path":"planted"}' });
      expect((await kindsOf(gateway)).at(-1)).toBe('contents-read');
      const traffic = await ask(gateway, '/api/traffic?surface=openai-chat&route=m');
      const request = String(at(traffic.body, 'items', 0, 'id'));
      expect(request).toBe(at(calls.body, 'items', 0, 'requestId'));
      expect(await ask(gateway, `/api/traffic/${request}`)).toMatchObject({
        status: 200,
        body: {
          route: 'm',
          candidate: 'm',
          status: 200,
          usage: { inputTotal: 12, outputTotal: 7 },
          losses: [],
        },
      });
    });
  });

  test('hold no contents where none are kept, and whoever looks is not audited', async () => {
    await withTraffic(false, async (gateway) => {
      const calls = await ask(gateway, '/api/calls');
      const shown = await ask(gateway, `/api/calls/${String(at(calls.body, 'items', 0, 'id'))}`);
      expect(shown.status).toBe(200);
      expect(JSON.stringify(shown.body)).not.toContain('planted');
      expect(await kindsOf(gateway)).not.toContain('contents-read');
    });
  });

  test('are shown with who decided on them, when, and the digest of what was edited, without the arguments', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      gateway.stores.calls.record({ ...APPROVED, id: 'known', approvalId: 'a' });
      gateway.stores.calls.record({ ...APPROVED, id: 'gone', approvalId: 'b' });
      await gateway.stores.calls.flush();
      expect((await ask(gateway, '/api/calls/known')).body).toMatchObject({
        approval: { status: 'pending' },
      });
      await ask(gateway, '/api/approvals/a/approve', { arguments: { amount: 4_321 } });
      const { body } = await ask(gateway, '/api/calls/known');
      expect(at(body, 'approval')).toMatchObject({
        id: 'a',
        status: 'approved',
        argumentsDigest: digest({ amount: 5 }),
        settlement: { by: 'ana', at: expect.any(Number), argumentsDigest: digest({ amount: 4_321 }) },
      });
      expect(JSON.stringify(body)).not.toContain('amount');
      expect(at((await ask(gateway, '/api/calls/gone')).body, 'approval')).toBe(undefined);
      expect(await kindsOf(gateway)).not.toContain('contents-read');
    });
  });

  test('are shown although their approval was damaged, which is told', async () => {
    const stores = await openStores({ storage: testConfig({ providers: {} }).storage });
    const get = async (): Promise<never> => {
      throw new GatewayError('gateway/record-unreadable', 'An approval that is stored cannot be read.');
    };
    const config = testConfig({ providers: {}, grants: { admin: true } });
    const gateway = await createGateway({
      config,
      stores: { ...stores, approvals: { ...stores.approvals, get } },
    });
    try {
      const url = await gateway.listen();
      stores.calls.record({ ...APPROVED, id: 'c', approvalId: 'a' });
      await stores.calls.flush();
      expect(await ask({ url }, '/api/calls/c')).toMatchObject({
        status: 200,
        body: { tool: 'pay', approval: { id: 'a', unreadable: true } },
      });
    } finally {
      await gateway.close(0);
      await stores.close();
    }
  });

  test('that are not there are not found', async () => {
    await withAdmin(async (gateway) => {
      expect((await ask(gateway, '/api/calls/x')).status).toBe(404);
      expect((await ask(gateway, '/api/traffic/x')).status).toBe(404);
      for (const list of ['calls', 'traffic', 'approvals']) {
        const { body, status } = await ask(gateway, `/api/${list}?cursor=nonsense`);
        expect([status, at(body, 'error', 'code')]).toEqual([400, 'entry_invalid']);
      }
    });
  });
});

describe('keys', () => {
  test('are shown once when they are made, open what was granted, and nothing after they were revoked', async () => {
    await withAdmin(async (gateway) => {
      const made = await ask(gateway, '/api/keys', { principal: 'bob', grants: { admin: true } });
      expect(made).toMatchObject({
        status: 201,
        body: { record: { principal: 'bob', origin: 'stored', createdBy: 'ana', grants: { admin: true } } },
      });
      const key = String(at(made.body, 'key'));
      const id = String(at(made.body, 'record', 'id'));
      const listed = await ask(gateway, '/api/keys', undefined, { key });
      expect(at(listed.body, 'items')).toMatchObject([{ id: 'client', origin: 'config' }, { id }]);
      expect(JSON.stringify(listed.body)).not.toContain(key);
      expect(JSON.stringify(listed.body)).not.toMatch(/sha256|digest/);
      expect(await ask(gateway, `/api/keys/${id}`, undefined, { method: 'DELETE' })).toMatchObject({
        status: 200,
        body: { revoked: id },
      });
      expect((await ask(gateway, '/api/keys', undefined, { key })).status).toBe(401);
      expect((await ask(gateway, `/api/keys/${id}`, undefined, { method: 'DELETE' })).status).toBe(404);
      const kinds = await kindsOf(gateway);
      expect(kinds.slice(-2)).toEqual(['key-create', 'key-revoke']);
    });
  });

  test('grant nothing that is not written, and those of the configuration cannot be revoked here', async () => {
    await withAdmin(async (gateway) => {
      const made = await ask(gateway, '/api/keys', { principal: 'bob' });
      expect(at(made.body, 'record', 'grants')).toMatchObject({
        toolsDefault: 'deny',
        allow: [],
        servers: [],
        admin: false,
      });
      const key = String(at(made.body, 'key'));
      expect((await ask(gateway, '/api/keys', undefined, { key })).body).toMatchObject({
        error: { code: 'admin_required' },
      });
      expect((await ask(gateway, '/api/keys/client', undefined, { method: 'DELETE' })).status).toBe(404);
      expect((await ask(gateway, '/api/keys')).status).toBe(200);
    });
  });

  test('that name what is not configured are made, and that is told', async () => {
    const providers = { m: { protocol: CHAT, baseUrl: 'http://127.0.0.1:9' } } as const;
    await withGateway({ providers, grants: { admin: true } }, async (gateway) => {
      const grants = { routes: ['m', 'mm'], servers: ['files'] };
      const made = await ask(gateway, '/api/keys', { principal: 'bob', grants });
      expect(made).toMatchObject({ status: 201, body: { record: { grants } } });
      expect(at(made.body, 'unconfigured')).toEqual({ routes: ['mm'], servers: ['files'] });
      for (const known of [{ routes: ['m'] }, { routes: 'all', servers: 'all' }, {}]) {
        const { body } = await ask(gateway, '/api/keys', { principal: 'bob', grants: known });
        expect(Object.keys(body as object)).toEqual(['key', 'record']);
      }
    });
  });

  test.each([
    {},
    { principal: '' },
    { principal: 'x'.repeat(129) },
    { principal: 'bob', key: 'of my choice' },
    { principal: 'bob', grants: { admin: 'yes' } },
    { principal: 'bob', grants: { allow: ['a*'] } },
    { principal: 'bob', grants: { limits: { concurrency: 0 } } },
  ])('are not made of %j', async (body) => {
    await withAdmin(async (gateway) => {
      expect((await ask(gateway, '/api/keys', body)).body).toMatchObject({
        error: { code: 'entry_invalid' },
      });
      expect(await kindsOf(gateway)).not.toContain('key-create');
    });
  });
});

describe('the audit', () => {
  test('is exported as lines, its head is told, and a check says what it found', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      const head = await ask(gateway, '/api/audit/head');
      const exported = await post(`${gateway.url}/api/audit`, '', { method: 'GET' });
      expect(exported.headers['content-type']).toBe('application/jsonl');
      const lines = exported.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string });
      expect(lines.map(({ kind }) => kind)).toEqual([
        'gateway-start',
        'config-load',
        'approval-create',
        'audit-export',
      ]);
      const after = await post(`${gateway.url}/api/audit?after=4`, '', { method: 'GET' });
      expect(JSON.parse(after.body)).toMatchObject({ seq: 5, kind: 'audit-export', data: { after: 4 } });
      expect(await ask(gateway, '/api/audit/verify', {})).toMatchObject({ body: { ok: true, records: 5 } });
      const kept = await ask(gateway, '/api/audit/verify', { anchor: head.body });
      expect(kept.body).toMatchObject({ ok: true });
      const other = { seq: 1, digest: at(head.body, 'digest') };
      expect((await ask(gateway, '/api/audit/verify', { anchor: other })).body).toEqual({
        ok: false,
        seq: 1,
        fault: 'anchor',
      });
    });
  });
});
