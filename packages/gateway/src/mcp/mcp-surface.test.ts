import { describe, expect, test } from 'vitest';
import { CLIENT_KEY, testConfig } from '../../test-support/gateway-fixture.ts';
import {
  approvalId,
  connect,
  mcpOf,
  REVISIONS,
  resultText,
  serverConfig,
  toolNames,
  withBank,
} from '../../test-support/mcp-fixture.ts';
import { openPost, post } from '../../test-support/post.ts';
import type { Grants } from '../ports/principal.ts';

describe.each(REVISIONS)('the official client of %s', (revision) => {
  test('lists and calls the tools of all servers, and of one', async () => {
    const { gateway } = await withBank();
    for (const path of ['/mcp', '/mcp/bank']) {
      const client = await connect(gateway, path, revision);
      expect(await toolNames(client)).toEqual(['bank__read', 'bank__pay']);
      expect(resultText(await client.callTool({ name: 'bank__read', arguments: {} }))).toBe('read');
    }
    await gateway.stores.calls.flush();
    const { items } = await gateway.stores.calls.list();
    expect(items).toMatchObject([
      {
        tool: 'bank__read',
        origin: 'mcp',
        place: 'bank',
        verdict: 'allowed',
        reason: 'completed',
        class: 'read',
      },
      { tool: 'bank__read', principal: 'ana', keyId: 'client' },
    ]);
    for (const { requestId } of items) {
      const request = gateway.traffic.find(({ id }) => id === requestId);
      expect(request).toMatchObject({ surface: 'mcp', status: 200, calls: 1, principal: 'ana' });
    }
    expect(gateway.errors).toEqual([]);
  });

  test('that adds a slash to the address sees the same', async () => {
    const { gateway } = await withBank();
    for (const path of ['/mcp/', '/mcp/bank/']) {
      const client = await connect(gateway, path, revision);
      expect(await toolNames(client)).toEqual(['bank__read', 'bank__pay']);
    }
  });

  test('whose call needs a yes is told so; after the decision the repeated call goes through, once', async () => {
    const { bank, gateway } = await withBank({ server: { approvalThreshold: 'write' } });
    const client = await connect(gateway, '/mcp', revision);
    const call = { name: 'bank__pay', arguments: { amount: 5 } };
    const id = approvalId(await client.callTool(call));
    expect(await gateway.stores.approvals.get(id)).toMatchObject({
      status: 'pending',
      origin: 'mcp',
      place: 'bank',
      principal: 'ana',
      keyId: 'client',
      tool: 'bank__pay',
      class: 'external',
      request: { arguments: { amount: 5 } },
      definition: { name: 'bank__pay', description: 'Pays.' },
    });
    expect(approvalId(await client.callTool(call))).toBe(id);
    expect(resultText(await client.callTool({ name: 'bank__read', arguments: {} }))).toBe('read');
    await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
    expect(approvalId(await client.callTool({ ...call, arguments: { amount: 6 } }))).not.toBe(id);
    expect(bank.paid).toEqual([]);
    expect(resultText(await client.callTool(call))).toBe('paid');
    expect(bank.paid).toEqual([{ amount: 5 }]);
    expect(await gateway.stores.approvals.consume(id)).toBe(false);
    expect(approvalId(await client.callTool(call))).not.toBe(id);
    expect(bank.paid).toHaveLength(1);
    await gateway.stores.calls.flush();
    const { items } = await gateway.stores.calls.list({ verdict: 'allowed', tool: 'bank__pay' });
    expect(items).toMatchObject([{ approvalId: id, reason: 'completed' }]);
    const pending = await gateway.stores.calls.list({ verdict: 'refused' });
    expect(new Set(pending.items.map(({ reason }) => reason))).toEqual(new Set(['approval_pending']));
  });

  test('whose call ran before is put before the reviewer with that', async () => {
    const { bank, gateway } = await withBank({ server: { approvalThreshold: 'write' } });
    const client = await connect(gateway, '/mcp', revision);
    const pay = (amount: number) => client.callTool({ name: 'bank__pay', arguments: { amount } });
    const whyOf = async (id: string) => (await gateway.stores.approvals.get(id))?.why ?? '';
    const first = approvalId(await pay(5));
    expect(await whyOf(first)).not.toContain('before');
    await gateway.stores.approvals.decide(first, { verdict: 'approve', by: 'rex', arguments: { amount: 4 } });
    expect(resultText(await pay(5))).toBe('paid');
    expect(bank.paid).toEqual([{ amount: 4 }]);
    expect(await whyOf(approvalId(await pay(6)))).not.toContain('before');
    const { consumedAt = 0 } = (await gateway.stores.approvals.get(first)) ?? {};
    for (const amount of [5, 4]) {
      expect(await whyOf(approvalId(await pay(amount)))).toContain(
        `approved before, and what was approved went to the server at ${new Date(consumedAt).toISOString()}`,
      );
    }
  });

  test('gets what the reviewer changed, and more time where an operator gives it', async () => {
    const { bank, gateway } = await withBank({ server: { approvalThreshold: 'write' } });
    const client = await connect(gateway, '/mcp/bank', revision);
    const call = { name: 'bank__pay', arguments: { amount: 5 } };
    const id = approvalId(await client.callTool(call));
    const { expiresAt } = (await gateway.stores.approvals.get(id)) ?? {};
    const later = Number(expiresAt) + 60_000;
    expect(await gateway.stores.approvals.extend(id, later, 'rex')).toMatchObject({ expiresAt: later });
    await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex', arguments: { amount: 1 } });
    expect(resultText(await client.callTool(call))).toBe('paid');
    expect(bank.paid).toEqual([{ amount: 1 }]);
    await gateway.stores.calls.flush();
    const { items } = await gateway.stores.calls.list({ verdict: 'allowed' });
    const record = await gateway.stores.approvals.get(id);
    expect(items[0]?.argumentsDigest).toBe(record?.settlement?.argumentsDigest);
  });

  test('gets a no with its reason, again for the same call, and nobody is asked again', async () => {
    const { bank, gateway } = await withBank({ server: { approvalThreshold: 'write' } });
    const client = await connect(gateway, '/mcp', revision);
    const call = { name: 'bank__pay', arguments: { amount: 5 } };
    const id = approvalId(await client.callTool(call));
    await gateway.stores.approvals.decide(id, { verdict: 'decline', by: 'rex', reason: 'too much' });
    for (let round = 0; round < 2; round += 1)
      expect(resultText(await client.callTool(call))).toMatch(/declined.*too much/);
    expect((await gateway.stores.approvals.list()).items).toHaveLength(1);
    expect(bank.paid).toEqual([]);
  });

  test('sees another configuration without connecting again', async () => {
    const { bank, gateway, setup } = await withBank();
    const client = await connect(gateway, '/mcp', revision);
    expect(await toolNames(client)).toEqual(['bank__read', 'bank__pay']);
    const servers = new Map([serverConfig('bank', bank.url), serverConfig('shop', bank.url)]);
    const config = testConfig({ ...setup, config: { mcp: mcpOf(servers) } });
    expect(await gateway.gateway.reload(config)).toEqual({ kind: 'published', number: 2 });
    expect(await toolNames(client)).toEqual(['bank__read', 'bank__pay', 'shop__read', 'shop__pay']);
    expect(resultText(await client.callTool({ name: 'shop__read', arguments: {} }))).toBe('read');
  });
});

describe('a key', () => {
  test.each<[string, Partial<Grants>, readonly string[]]>([
    [
      'with a list of tools sees those',
      { toolsDefault: 'deny', allow: ['bank__read', 'other'] },
      ['bank__read'],
    ],
    ['without a granted tool sees none', { toolsDefault: 'deny' }, []],
    ['does not see what is denied to it', { deny: ['bank__pay'] }, ['bank__read']],
  ])('%s, and can call no other', async (_name, grants, visible) => {
    const { bank, gateway } = await withBank({ grants });
    const client = await connect(gateway);
    expect(await toolNames(client)).toEqual(visible);
    const refused = await client.callTool({ name: 'bank__pay', arguments: { amount: 5 } });
    expect(resultText(refused)).toBe('The tool is not available.');
    expect(bank.paid).toEqual([]);
    await gateway.stores.calls.flush();
    expect((await gateway.stores.calls.list({ verdict: 'refused' })).items).toMatchObject([
      { tool: 'bank__pay', reason: 'tool_unavailable' },
    ]);
  });

  test.each<[string, Partial<Grants>, string]>([
    ['of another server', { servers: ['shop'] }, '/mcp/bank'],
    ['of no server', { servers: [] }, '/mcp'],
    ['of all servers, where there is none of the name', { servers: 'all' }, '/mcp/nothing'],
  ])('%s finds nothing there', async (_name, grants, path) => {
    const { gateway } = await withBank({ grants });
    const { body, status } = await post(`${gateway.url}${path}`, '{}');
    expect([status, JSON.parse(body).error.code]).toEqual([404, 'not_found']);
  });

  test('does not find the session of another key, nor its own after its rights changed', async () => {
    const { gateway, setup } = await withBank({ grants: { admin: true } });
    const made = await post(
      `${gateway.url}/api/keys`,
      JSON.stringify({ principal: 'ana', grants: { toolsDefault: 'allow', servers: 'all' } }),
    );
    const { key: another } = JSON.parse(made.body) as { readonly key: string };
    const initialize = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    const headers = { accept: 'application/json, text/event-stream' };
    const begun = await post(`${gateway.url}/mcp`, initialize, { headers });
    const session = { ...headers, 'mcp-session-id': String(begun.headers['mcp-session-id']) };
    const list = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}';
    const ask = async (key = CLIENT_KEY): Promise<number> =>
      (await post(`${gateway.url}/mcp`, list, { headers: session, key })).status;
    expect([begun.status, await ask(), await ask(another)]).toEqual([200, 200, 404]);
    const news = await openPost(`${gateway.url}/mcp`, '', { method: 'GET', headers: session });
    expect(news.response.statusCode).toBe(200);
    const ended = news.rest();
    const narrowed = testConfig({ ...setup, grants: { servers: 'all', deny: ['bank__pay'] } });
    await gateway.gateway.reload(narrowed);
    expect(await ask()).toBe(404);
    expect((await ended).broken).toBe(true);
  });

  test('is asked about by the application, whose no keeps the call from the server', async () => {
    const asked: unknown[] = [];
    const { bank, gateway } = await withBank({
      options: {
        authorize: ({ arguments: args, context }) => {
          asked.push([context.principal.id, context.route, args]);
          return false;
        },
      },
    });
    const client = await connect(gateway);
    const refused = await client.callTool({ name: 'bank__pay', arguments: { amount: 5 } });
    expect(resultText(refused)).toBe('The call is not authorized.');
    expect(asked).toEqual([['ana', 'bank', { amount: 5 }]]);
    expect(bank.paid).toEqual([]);
  });
});

test('every call is in the audit before and after it ran, with digests and without contents', async () => {
  const { gateway } = await withBank();
  const client = await connect(gateway);
  await client.callTool({ name: 'bank__pay', arguments: { amount: 7, note: 'planted-content' } });
  await client.callTool({ name: 'bank__pay', arguments: { amount: 'x' } });
  await gateway.stores.audit.append({ kind: 'config-load', actor: 'test', data: {} });
  const records = [];
  for await (const record of gateway.stores.audit.read()) records.push(record);
  expect(records.map(({ kind }) => kind)).toEqual([
    'gateway-start',
    'config-load',
    'call-allow',
    'call-end',
    'call-refuse',
    'config-load',
  ]);
  const [allowed, ended] = records.slice(2);
  expect(allowed).toMatchObject({
    actor: 'ana',
    data: { tool: 'bank__pay', place: 'bank', reason: 'permitted' },
  });
  expect(ended?.data['argumentsDigest']).toBe(allowed?.data['argumentsDigest']);
  expect(JSON.stringify(records)).not.toContain('planted-content');
});

test('calls of one session that a client sends at once with one id are answered and written down each by itself', async () => {
  const { bank, gateway } = await withBank();
  const headers = { accept: 'application/json, text/event-stream' };
  const ask = (method: string, params: object, more: Record<string, string> = {}) =>
    post(`${gateway.url}/mcp`, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), {
      headers: { ...headers, ...more },
    });
  const begun = await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });
  const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  const amounts = Array.from({ length: 12 }, (_, index) => index);
  const answers = await Promise.all(
    amounts.map((amount) => {
      const call = amount % 2 === 0 ? { name: 'bank__pay', arguments: { amount } } : { name: 'bank__read' };
      return ask('tools/call', call, session);
    }),
  );
  for (const [index, { status, body }] of answers.entries()) {
    const { id, result } = JSON.parse(body.slice(body.indexOf('{')));
    expect([status, id, resultText(result)]).toEqual([200, 1, index % 2 === 0 ? 'paid' : 'read']);
  }
  expect(bank.paid).toHaveLength(6);
  await gateway.stores.calls.flush();
  const { items } = await gateway.stores.calls.list();
  expect(new Set(items.map(({ callId }) => callId)).size).toBe(12);
  expect(new Set(items.map(({ requestId }) => requestId)).size).toBe(12);
  expect(gateway.errors).toEqual([]);
});

test('a gateway that is closed ends the streams of clients that only wait', async () => {
  const { gateway } = await withBank();
  await connect(gateway);
  await gateway.gateway.close(60_000);
  expect(gateway.errors).toEqual([]);
});
