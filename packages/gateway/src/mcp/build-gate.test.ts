import { expect, test } from 'vitest';
import {
  backServer,
  connect,
  mcpGateway,
  mcpOf,
  resultText,
  sayTool,
  serverConfig,
  toolNames,
} from '../../test-support/mcp-fixture.ts';

test('a tool whose name looks like that of another server is not served, and costs nobody else anything', async () => {
  const [first, second] = [await backServer(), await backServer()];
  first.offer(sayTool('read', 'first'));
  second.offer(sayTool('read', 'second'), sayTool('look'));
  const servers = new Map([serverConfig('my-bank', first.url), serverConfig('My_Bank', second.url)]);
  const gateway = await mcpGateway({
    providers: {},
    grants: { servers: 'all' },
    config: { mcp: mcpOf(servers) },
  });
  const client = await connect(gateway);
  expect(await toolNames(client)).toEqual(['my-bank__read', 'My_Bank__look']);
  expect(resultText(await client.callTool({ name: 'my-bank__read', arguments: {} }))).toBe('first');
  expect(gateway.errors).toEqual([]);
});
