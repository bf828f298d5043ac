import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_LOCK, writeLock } from '@toolgate/mcp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testConfig } from '../../test-support/gateway-fixture.ts';
import {
  approvalId,
  backServer,
  connect,
  mcpGateway,
  mcpOf,
  resultText,
  sayTool,
  serverConfig,
  startBackServer,
  toolNames,
  withBank,
} from '../../test-support/mcp-fixture.ts';
import { post } from '../../test-support/post.ts';
import { Secret } from '../config/secret.ts';

describe('mounted servers', () => {
  test('that cannot be mounted are reported, and the others work', async () => {
    const bank = await backServer();
    const gone = await startBackServer();
    await gone.close();
    const headers = new Map([['authorization', new Secret('Bearer planted-mcp-secret')]]);
    const bad = serverConfig('bad', gone.url, {
      transport: { kind: 'http', url: new URL(gone.url), headers },
    });
    const lines: string[] = [];
    const gateway = await mcpGateway({
      providers: {},
      grants: { servers: 'all', admin: true },
      config: { mcp: mcpOf(new Map([bad, serverConfig('bank', bank.url)])) },
      options: { log: (line) => lines.push(line) },
    });
    const client = await connect(gateway);
    expect(await toolNames(client)).toEqual(['bank__read', 'bank__pay']);
    const { body } = await post(`${gateway.url}/api/tools`, '', { method: 'GET' });
    expect(JSON.parse(body)).toMatchObject({
      servers: [
        { name: 'bad', state: 'failed', error: { code: 'mcp/unavailable' } },
        {
          name: 'bank',
          state: 'mounted',
          report: { tools: [{ tool: 'read', kind: 'offered' }, { tool: 'pay' }] },
        },
      ],
    });
    expect(lines.some((line) => line.includes('mcp-failed'))).toBe(true);
    expect(`${body}${lines.join('')}`).not.toContain('planted-mcp-secret');
  });

  test('that do not start are reported with what they said, without their secrets', async () => {
    const script = "console.error('no project for ' + process.env.BANK_KEY + '\\u0007'); process.exit(3)";
    const [name, server] = serverConfig('bad', 'http://127.0.0.1:1/mcp', {
      transport: {
        kind: 'stdio',
        command: process.execPath,
        args: ['-e', script],
        env: new Map([['BANK_KEY', new Secret('planted-mcp-secret')]]),
        cwd: undefined,
      },
    });
    const gateway = await mcpGateway({
      providers: {},
      grants: { servers: 'all', admin: true },
      config: { mcp: mcpOf(new Map([[name, server]])) },
    });
    await expect
      .poll(async () => JSON.parse((await post(`${gateway.url}/api/tools`, '', { method: 'GET' })).body))
      .toMatchObject({
        servers: [
          {
            state: 'failed',
            error: {
              message: expect.stringContaining('ended with code 3'),
              detail: expect.stringMatching(/^no project for \S*redacted\S*\\u\{7\}\s*$/),
            },
          },
        ],
      });
  });

  test('offer nothing that was not reviewed, and say how it drifted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-lock-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'toolgate.lock.json');
    writeFileSync(path, writeLock(EMPTY_LOCK));
    const bank = await backServer();
    const servers = new Map([serverConfig('bank', bank.url)]);
    const lines: string[] = [];
    const gateway = await mcpGateway({
      providers: {},
      grants: { servers: 'all', admin: true },
      config: { mcp: mcpOf(servers, { mode: 'require', path }) },
      options: { log: (line) => lines.push(line) },
    });
    expect(await toolNames(await connect(gateway))).toEqual([]);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'mcp-held-back', server: 'bank', tools: 2 }),
    );
    const { body } = await post(`${gateway.url}/api/tools`, '', { method: 'GET' });
    expect(JSON.parse(body).servers[0].report).toMatchObject({
      tools: [{ kind: 'quarantined', reason: 'not-reviewed' }, { kind: 'quarantined' }],
      drift: {
        known: false,
        drift: [
          { kind: 'added', tool: 'pay' },
          { kind: 'added', tool: 'read' },
        ],
      },
    });
    writeFileSync(path, '{"version":1,"servers":{"bank":{"pay":{"digest":"sha256:0","definition":{}}}}}');
    const again = await gateway.gateway.reload(
      testConfig({ providers: {}, config: { mcp: mcpOf(servers, { mode: 'require', path }) } }),
    );
    expect(again).toMatchObject({ kind: 'refused', number: 1, error: { code: 'gateway/config-invalid' } });
  });

  test('that change their list are served with the new one, and an approval of the old contract is shown so', async () => {
    const { bank, gateway } = await withBank({
      server: { approvalThreshold: 'write' },
      grants: { admin: true },
    });
    const client = await connect(gateway);
    const id = approvalId(await client.callTool({ name: 'bank__pay', arguments: { amount: 5 } }));
    const show = async () =>
      JSON.parse((await post(`${gateway.url}/api/approvals/${id}`, '', { method: 'GET' })).body);
    expect(await show()).not.toHaveProperty('drift');
    bank.offer(sayTool('pay', 'something else'));
    await expect.poll(() => toolNames(client), { timeout: 5_000 }).toEqual(['bank__pay']);
    expect(await show()).toMatchObject({ origin: 'mcp', drift: { state: 'contract-changed' } });
    await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
    expect(approvalId(await client.callTool({ name: 'bank__pay', arguments: {} }))).not.toBe(id);
    expect(bank.paid).toEqual([]);
  });

  test('that stay the same keep their connection over a reload, and end when no configuration names them', async () => {
    const { gateway, setup } = await withBank();
    const client = await connect(gateway);
    await toolNames(client);
    await gateway.gateway.reload(testConfig(setup));
    expect(resultText(await client.callTool({ name: 'bank__read', arguments: {} }))).toBe('read');
    await gateway.gateway.reload(testConfig({ ...setup, config: {} }));
    expect(await toolNames(client)).toEqual([]);
    expect((await post(`${gateway.url}/mcp/bank`, '{}')).status).toBe(404);
  });
});
