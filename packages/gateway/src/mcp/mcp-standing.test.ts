import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  backServer,
  connect,
  mcpGateway,
  mcpOf,
  serverConfig,
  startBackServer,
  toolNames,
} from '../../test-support/mcp-fixture.ts';
import { post } from '../../test-support/post.ts';

const ADMIN = { servers: 'all', admin: true } as const;

/** A server that takes requests and never answers. */
async function silentServer(): Promise<string> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test('a server that hangs delays nobody, and the surface says which servers are there', async () => {
  const bank = await backServer();
  const gateway = await mcpGateway({
    providers: {},
    grants: ADMIN,
    config: {
      mcp: mcpOf(new Map([serverConfig('slow', await silentServer()), serverConfig('bank', bank.url)])),
    },
    options: { mountPatienceMs: 10 },
  });
  const client = await connect(gateway);
  await expect.poll(() => toolNames(client), { timeout: 10_000 }).toEqual(['bank__read', 'bank__pay']);
  const { body } = await post(`${gateway.url}/api/status`, '', { method: 'GET' });
  expect(JSON.parse(body).servers).toEqual([
    { name: 'slow', state: expect.stringMatching(/^(?:mounting|failed)$/) },
    { name: 'bank', state: 'mounted' },
  ]);
  expect(await toolNames(await connect(gateway, '/mcp/slow'))).toEqual([]);
}, 15_000);

test('a server that comes after the start is mounted without a reload, and clients see its tools', async () => {
  const gone = await startBackServer();
  await gone.close();
  const lines: string[] = [];
  const gateway = await mcpGateway({
    providers: {},
    grants: ADMIN,
    config: { mcp: mcpOf(new Map([serverConfig('bank', gone.url)])) },
    options: { log: (line) => lines.push(line) },
  });
  const client = await connect(gateway);
  const metrics = async () => (await fetch(`${gateway.url}/metrics`)).text();
  expect(await toolNames(client)).toEqual([]);
  expect(await metrics()).toContain('toolgate_mcp_server_state{server="bank",state="failed"} 1');
  const bank = await startBackServer(Number(new URL(gone.url).port));
  onTestFinished(() => bank.close());
  await expect.poll(() => toolNames(client), { timeout: 10_000 }).toEqual(['bank__read', 'bank__pay']);
  expect(await metrics()).toContain('toolgate_mcp_server_state{server="bank",state="failed"} 0');
  expect(await metrics()).toContain('toolgate_mcp_server_state{server="bank",state="mounted"} 1');
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(
    expect.arrayContaining(['mcp-failed', 'mcp-mounted']),
  );
}, 15_000);
