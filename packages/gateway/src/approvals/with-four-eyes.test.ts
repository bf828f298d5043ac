import { describe, expect, test } from 'vitest';
import { ask, askPayment, at } from '../../test-support/admin.ts';
import { payment } from '../../test-support/approval-fixtures.ts';
import { answerOf, callsOf, readAnswer, withRawProvider } from '../../test-support/ask-raw.ts';
import {
  type GatewaySetup,
  type TestGateway,
  testConfig,
  testFirewall,
  withGateway,
} from '../../test-support/gateway-fixture.ts';
import {
  approvalId,
  backServer,
  connect,
  mcpGateway,
  mcpOf,
  REVISIONS,
  resultText,
  serverConfig,
} from '../../test-support/mcp-fixture.ts';
import { post } from '../../test-support/post.ts';
import { oddRequest, surfacePath, turnEvents } from '../../test-support/wire-samples.ts';
import type { ApprovalRecord } from '../ports/approval-store.ts';

const ruled = (fourEyes: boolean): Pick<GatewaySetup, 'grants' | 'config'> => ({
  grants: { admin: true },
  config: { approvals: { lifetimeMs: 60_000, fourEyes, webhook: undefined } },
});

/** The key of another reviewer. */
async function reviewer(gateway: TestGateway): Promise<string> {
  const made = await ask(gateway, '/api/keys', { principal: 'rex', grants: { admin: true } });
  return String(at(made.body, 'key'));
}

describe('with four eyes', () => {
  test.each([{}, { arguments: { amount: 1 } }])(
    'nobody says yes to what they asked for (%j), and somebody else may',
    async (body) => {
      await withGateway({ providers: {}, ...ruled(true) }, async (gateway) => {
        await askPayment(gateway, 'a');
        const own = await ask(gateway, '/api/approvals/a/approve', body);
        expect([own.status, at(own.body, 'error', 'code')]).toEqual([403, 'approval_own']);
        expect(await gateway.stores.approvals.get('a')).toMatchObject({ status: 'pending' });
        const written = [];
        for await (const { actor, data, kind } of gateway.stores.audit.read())
          written.push({ actor, data, kind });
        expect(written.at(-1)).toEqual({ kind: 'approval-refuse', actor: 'ana', data: { approval: 'a' } });
        const other = await ask(gateway, '/api/approvals/a/approve', body, { key: await reviewer(gateway) });
        expect([other.status, at(other.body, 'settlement', 'by')]).toEqual([200, 'rex']);
        expect((await ask(gateway, '/api/approvals/a/approve', body)).status).toBe(409);
        expect(await gateway.stores.audit.verify()).toMatchObject({ ok: true });
      });
    },
  );

  test('another key of the same principal is the same person', async () => {
    await withGateway({ providers: {}, ...ruled(true) }, async (gateway) => {
      await askPayment(gateway, 'a');
      const made = await ask(gateway, '/api/keys', { principal: 'ana', grants: { admin: true } });
      const answered = await ask(
        gateway,
        '/api/approvals/a/approve',
        {},
        { key: String(at(made.body, 'key')) },
      );
      expect(at(answered.body, 'error', 'code')).toBe('approval_own');
    });
  });

  test('nobody says yes where it is not known who asks', async () => {
    await withGateway({ providers: {}, ...ruled(true) }, async (gateway) => {
      const asked = payment('a', { requestedAt: Date.now(), expiresAt: Date.now() + 60_000 });
      const { principal: _nobody, ...request } = asked.request;
      await gateway.stores.approvals.create({ ...asked, request });
      expect((await ask(gateway, '/api/approvals/a/approve', {})).status).toBe(403);
    });
  });

  test('who asks may still say no, and give more time', async () => {
    await withGateway({ providers: {}, ...ruled(true) }, async (gateway) => {
      await askPayment(gateway, 'a');
      const expiresAt = Date.now() + 7_200_000;
      expect((await ask(gateway, '/api/approvals/a/extend', { expiresAt })).status).toBe(200);
      expect((await ask(gateway, '/api/approvals/a/decline', {})).body).toMatchObject({ status: 'declined' });
    });
  });

  test('holds from the reload on that brings it', async () => {
    await withGateway({ providers: {}, ...ruled(false) }, async (gateway) => {
      for (const id of ['a', 'b']) await askPayment(gateway, id);
      expect((await ask(gateway, '/api/approvals/a/approve', {})).status).toBe(200);
      await gateway.gateway.reload(testConfig({ providers: {}, ...ruled(true) }));
      expect((await ask(gateway, '/api/approvals/b/approve', {})).status).toBe(403);
    });
  });

  test('a yes that was given where the rule does not hold opens nothing: the call is asked for again', async () => {
    const setup: Omit<GatewaySetup, 'providers'> = {
      ...ruled(true),
      routes: [
        {
          model: 'm',
          candidates: [{ provider: 'm', model: undefined }],
          firewall: testFirewall({ approve: { threshold: 'write', tools: [], lifetimeMs: 30_000 } }),
        },
      ],
    };
    const turns = [answerOf('openai-chat', false, turnEvents([{ id: 'c1', arguments: '{"path":"a"}' }]))];
    await withRawProvider('openai-chat', turns, setup, async ({ stores, url }) => {
      const asked: string[] = [];
      const second = new Promise<ApprovalRecord>((resolve) => {
        stores.approvals.subscribe((record) => {
          if (record.status !== 'pending' || asked.includes(record.id)) return;
          asked.push(record.id);
          if (asked.length === 2) resolve(record);
          // As another gateway on the same database would, which does not know the rule.
          else void stores.approvals.decide(record.id, { verdict: 'approve', by: 'ana' });
        });
      });
      const answer = post(`${url}${surfacePath('openai-chat', false)}`, oddRequest('openai-chat', false));
      await stores.approvals.decide((await second).id, { verdict: 'approve', by: 'rex' });
      expect(callsOf(readAnswer('openai-chat', false, (await answer).body))).toHaveLength(1);
      expect(await stores.approvals.get(asked[0] ?? '')).not.toHaveProperty('consumedAt');
      expect(await stores.approvals.get(asked[1] ?? '')).toHaveProperty('consumedAt');
    });
  });
});

test.each(REVISIONS)('with four eyes a client of MCP (%s) is asked for again, too', async (revision) => {
  const bank = await backServer();
  const { config, grants } = ruled(true);
  const servers = new Map([serverConfig('bank', bank.url, { approvalThreshold: 'write' })]);
  const gateway = await mcpGateway({
    providers: {},
    grants: { ...grants, servers: 'all' },
    config: { ...config, mcp: mcpOf(servers) },
  });
  const client = await connect(gateway, '/mcp', revision);
  const pay = () => client.callTool({ name: 'bank__pay', arguments: { amount: 5 } });
  const first = approvalId(await pay());
  expect((await ask(gateway, `/api/approvals/${first}/approve`, {})).status).toBe(403);
  // As another gateway on the same database would, which does not know the rule.
  await gateway.stores.approvals.decide(first, { verdict: 'approve', by: 'ana' });
  const second = approvalId(await pay());
  expect([second === first, bank.paid]).toEqual([false, []]);
  await gateway.stores.approvals.decide(second, { verdict: 'approve', by: 'rex' });
  expect(resultText(await pay())).toBe('paid');
  expect(bank.paid).toEqual([{ amount: 5 }]);
});

test('without the rule who asks may say yes', async () => {
  await withGateway({ providers: {}, ...ruled(false) }, async (gateway) => {
    await askPayment(gateway, 'a');
    expect((await ask(gateway, '/api/approvals/a/approve', {})).status).toBe(200);
  });
});
