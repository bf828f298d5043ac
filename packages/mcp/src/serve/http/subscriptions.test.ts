import { expect, test, vi } from 'vitest';
import { gateOf, type Served, serveFixture } from '../../../test-support/serve-fixture.ts';

const LISTEN = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

const listen = ({ post }: Served, principal: string): Promise<Response> =>
  post(LISTEN, {
    authorization: `Bearer ${principal}`,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  });

test('streams of notices are bounded for each principal and altogether, and one that ends makes room', async () => {
  const fixture = await serveFixture(gateOf(), {
    limits: { maxSubscriptions: 3, maxSubscriptionsPerPrincipal: 2 },
  });
  const open: Response[] = [];
  for (const principal of ['alice', 'alice', 'bob']) open.push(await listen(fixture, principal));
  expect(open.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual(
    open.map(() => [200, 'text/event-stream']),
  );
  for (const principal of ['alice', 'bob', 'carol']) {
    const refused = await listen(fixture, principal);
    expect([principal, refused.status, await refused.json()]).toMatchObject([
      principal,
      503,
      { error: { message: 'Too many subscriptions' } },
    ]);
  }
  await open[0]?.body?.cancel();
  await vi.waitFor(
    async () => {
      const again = await listen(fixture, 'carol');
      expect(again.status).toBe(200);
    },
    { timeout: 20_000 },
  );
  // The others still hear of a change.
  fixture.service.replaceGate(gateOf());
  const reader = open[1]?.body?.getReader();
  let heard = '';
  while (!heard.includes('notifications/tools/list_changed')) {
    const piece = await reader?.read();
    if (piece?.value === undefined) throw new Error('The stream ended without the notice.');
    heard += new TextDecoder().decode(piece.value);
  }
});

test('a stream that nobody may have takes no place', async () => {
  const fixture = await serveFixture(gateOf(), { limits: { maxSubscriptionsPerPrincipal: 1 } });
  const wrong = LISTEN.replace('toolsListChanged', 'x');
  for (const body of [wrong, LISTEN.replace('"notifications":{"toolsListChanged":true},', '')]) {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    await (await fixture.post(body, headers)).text();
  }
  expect((await listen(fixture, 'alice')).headers.get('content-type')).toBe('text/event-stream');
});
