import { digest } from '@toolgate/core';
import { expect, test } from 'vitest';
import { approvalId, connect, resultText, withBank } from '../../test-support/mcp-fixture.ts';
import { Secret } from '../config/secret.ts';

test('the log keeps the arguments of a changed call as they went to the server', async () => {
  const { bank, gateway } = await withBank({
    server: { approvalThreshold: 'write' },
    storage: { url: new Secret('sqlite::memory:'), contents: true, retentionDays: 1 },
  });
  const client = await connect(gateway);
  const call = { name: 'bank__pay', arguments: { amount: 5 } };
  const id = approvalId(await client.callTool(call));
  await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex', arguments: { amount: 100 } });
  expect(resultText(await client.callTool(call))).toBe('paid');
  expect(bank.paid).toEqual([{ amount: 100 }]);
  await gateway.stores.calls.flush();
  const { items } = await gateway.stores.calls.list({ verdict: 'allowed' });
  expect(items).toMatchObject([
    { arguments: '{"amount":100}', argumentsBytes: 14, argumentsDigest: digest({ amount: 100 }) },
  ]);
});
