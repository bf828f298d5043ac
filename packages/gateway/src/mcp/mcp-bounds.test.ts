import { digest } from '@toolgate/core';
import { expect, test } from 'vitest';
import { payment } from '../../test-support/approval-fixtures.ts';
import { testConfig } from '../../test-support/gateway-fixture.ts';
import {
  backServer,
  connect,
  mcpGateway,
  mcpOf,
  resultText,
  serverConfig,
  withBank,
} from '../../test-support/mcp-fixture.ts';
import { post } from '../../test-support/post.ts';

const ACCEPT = { accept: 'application/json, text/event-stream' };

test.each<[string, string, Readonly<Record<string, string>>, number]>([
  ['is too large', `{"x":"${'y'.repeat(70_000)}"}`, {}, 413],
  ['is no JSON', '{"jsonrpc":', {}, 400],
  ['has a member twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', {}, 400],
  ['is empty', '', {}, 400],
  ['is a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['is packed', '{}', { 'content-encoding': 'gzip' }, 415],
])('a body that %s is refused, and the server behind hears nothing', async (_name, body, headers, status) => {
  const bank = await backServer();
  const limits = { ...testConfig({ providers: {} }).limits, bodyBytes: 65_536 };
  const gateway = await mcpGateway({
    providers: {},
    grants: { servers: 'all' },
    config: { limits, mcp: mcpOf(new Map([serverConfig('bank', bank.url)])) },
  });
  const answered = await post(`${gateway.url}/mcp`, body, { headers: { ...ACCEPT, ...headers } });
  expect(answered.status).toBe(status);
  expect(answered.headers['x-request-id']).toMatch(/^[\w-]+$/);
  expect(gateway.errors).toEqual([]);
  expect(bank.paid).toEqual([]);
});

test('a principal has only so many calls that wait for a decision, and the next one is not put up', async () => {
  const { bank, gateway } = await withBank({ server: { approvalThreshold: 'write' } });
  const now = Date.now();
  for (let index = 0; index < 50; index += 1) {
    const args = { amount: 100 + index };
    await gateway.stores.approvals.create({
      ...payment(`a${index}`, {
        arguments: args,
        argumentsDigest: digest(args),
        requestedAt: now,
        expiresAt: now + 60_000,
      }),
      origin: 'mcp',
    });
  }
  const client = await connect(gateway);
  const call = { name: 'bank__pay', arguments: { amount: 5 } };
  expect(resultText(await client.callTool(call))).toMatch(/too many calls wait for a decision/);
  await gateway.stores.approvals.decide('a0', { verdict: 'decline', by: 'rex' });
  expect(resultText(await client.callTool(call))).toMatch(/awaits a decision/);
  expect(bank.paid).toEqual([]);
});
