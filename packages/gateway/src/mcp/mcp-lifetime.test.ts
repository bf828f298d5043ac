import { AsyncLocalStorage } from 'node:async_hooks';
import { fileURLToPath } from 'node:url';
import { createGate, defineTool, guard } from '@toolgate/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testConfig } from '../../test-support/gateway-fixture.ts';
import {
  approvalId,
  connect,
  mcpGateway,
  mcpOf,
  resultText,
  serverConfig,
  toolNames,
  withBank,
} from '../../test-support/mcp-fixture.ts';
import { post } from '../../test-support/post.ts';
import type { McpServerConfig } from '../config/mcp-config.ts';
import { Secret } from '../config/secret.ts';
import { NO_GRANTS } from '../config/to-grants.ts';
import { makePrincipal } from '../keys/make-principal.ts';
import { createAuditGuard } from '../llm/firewall/audit-guard.ts';
import type { CallEntry } from '../ports/call-log.ts';
import { createGateway } from '../server/create-gateway.ts';
import { createCallRecorder } from './call-recorder.ts';
import type { McpCaller, McpExchange } from './mcp-exchange.ts';

const SCRIPT = fileURLToPath(new URL('../../../mcp/test-support/hostile-server.mjs', import.meta.url));

/** A server that is a process of its own, and can say which. */
const localServer = (token: string): readonly [string, McpServerConfig] => {
  const env = new Map([['SERVER_TOKEN', new Secret(token)]]);
  const transport = {
    kind: 'stdio',
    command: process.execPath,
    args: [SCRIPT],
    env,
    cwd: undefined,
  } as const;
  return serverConfig('local', 'http://127.0.0.1:1', { transport });
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a process lives as long as a configuration names it alike, and ends with the last one', async () => {
  const setup = (token: string) => ({
    providers: {},
    grants: { servers: 'all' as const },
    config: { mcp: mcpOf(new Map([localServer(token)])) },
  });
  const gateway = await mcpGateway(setup('one-token'));
  const client = await connect(gateway);
  const pidOf = async (): Promise<number> => {
    await toolNames(client);
    const said = resultText(await client.callTool({ name: 'local__pids', arguments: {} }));
    return Number((JSON.parse(said) as readonly number[])[0]);
  };
  const first = await pidOf();
  expect(isRunning(first)).toBe(true);
  await gateway.gateway.reload(testConfig(setup('one-token')));
  expect(await pidOf()).toBe(first);
  await gateway.gateway.reload(testConfig(setup('another-token')));
  const second = await pidOf();
  expect(second).not.toBe(first);
  await expect.poll(() => isRunning(first), { timeout: 10_000 }).toBe(false);
  await gateway.gateway.close(0);
  await expect.poll(() => isRunning(second), { timeout: 10_000 }).toBe(false);
});

test('a call that one gateway suspended goes through at another one on the same storage, once', async () => {
  const { bank, gateway, setup } = await withBank({ server: { approvalThreshold: 'write' } });
  const { stores } = gateway;
  const other = await createGateway({ config: testConfig(setup), stores, processMetrics: false });
  onTestFinished(() => other.close(0));
  const call = { name: 'bank__pay', arguments: { amount: 5 } };
  const id = approvalId(await (await connect(gateway)).callTool(call));
  await stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
  const there = await connect({ ...gateway, url: await other.listen() }, '/mcp/bank', '2026-07-28');
  const here = await connect(gateway, '/mcp', '2026-07-28');
  const results = await Promise.all([there.callTool(call), here.callTool(call)]);
  expect(results.map(resultText).filter((text) => text === 'paid')).toHaveLength(1);
  expect(bank.paid).toEqual([{ amount: 5 }]);
});

test('a gateway is reached under the names and from the pages that it is configured for', async () => {
  const { gateway, setup } = await withBank();
  const listen = {
    ...testConfig(setup).listen,
    allowedHosts: ['gateway.example'],
    allowedOrigins: ['https://console.example'],
  };
  const named = await createGateway({
    config: { ...testConfig(setup), listen },
    stores: gateway.stores,
    processMetrics: false,
  });
  onTestFinished(() => named.close(0));
  const url = await named.listen();
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  });
  const statusOf = async (host: string, origin: string): Promise<number> => {
    const headers = { accept: 'application/json, text/event-stream', host, origin };
    return (await post(`${url}/mcp`, body, { headers })).status;
  };
  expect(await statusOf('gateway.example', 'https://console.example')).toBe(200);
  expect(await statusOf('other.example', 'https://console.example')).toBe(403);
  expect(await statusOf('gateway.example', 'https://other.example')).toBe(403);
});

describe('while the audit cannot be written', () => {
  test('no call runs, and the next one does when it can be again', async () => {
    let broken = false;
    const kinds: string[] = [];
    const audit = createAuditGuard(
      {
        append: async ({ kind }: { readonly kind: string }) => {
          if (broken) throw new Error('the disk is full');
          kinds.push(kind);
        },
      } as never,
      () => undefined,
    );
    const entries: CallEntry[] = [];
    const exchanges = new AsyncLocalStorage<McpExchange>();
    const recorder = createCallRecorder({
      exchanges,
      audit,
      calls: { record: (entry: CallEntry) => entries.push(entry) } as never,
      newId: () => 'x',
      authorize: undefined,
    });
    let runs = 0;
    const tool = defineTool<object, McpCaller>({
      name: 't',
      description: '',
      input: { type: 'object' },
      execute: () => {
        runs += 1;
        return 'ran';
      },
    });
    const gate = createGate<McpCaller>({
      tools: [guard({ tool, authorizer: recorder.authorize('s') })],
      content: 'full',
      observe: recorder.observe(() => undefined),
    });
    const principal = makePrincipal('ana', 'key', NO_GRANTS);
    const exchange: McpExchange = {
      principal,
      requestId: 'r',
      auditAllowed: true,
      contents: false,
      onCall: () => undefined,
      approval: undefined,
    };
    const session = await gate.open({ context: { principal } });
    onTestFinished(async () => void (await session.close()));
    const run = async (id: string): Promise<string> =>
      exchanges.run(exchange, async () => (await session.execute({ id, name: 't', arguments: '' })).reason);
    expect(await run('a')).toBe('completed');
    broken = true;
    // The first one after the fault finds out; it was let in by an audit that worked.
    await run('b');
    await Promise.resolve();
    const before = runs;
    expect(await run('c')).toBe('not_authorized');
    expect(runs).toBe(before);
    broken = false;
    expect(await run('d')).toBe('completed');
    expect(runs).toBe(before + 1);
    expect(entries.map(({ verdict }) => verdict)).toEqual(['allowed', 'allowed', 'refused', 'allowed']);
    expect(kinds).toContain('call-allow');
  });
});
