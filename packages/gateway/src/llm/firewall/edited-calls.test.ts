import { digest } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';
import { expect, test } from 'vitest';
import { answerOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import { type GatewaySetup, type TestGateway, testFirewall } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendJson } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath, turnEvents } from '../../../test-support/wire-samples.ts';
import { Secret } from '../../config/secret.ts';
import type { GatewayOptions } from '../../server/create-gateway.ts';

const CHAT: Protocol = 'openai-chat';

/** Every call needs a yes, and contents are kept. */
const keeping = (authorize?: GatewayOptions['authorize']): Omit<GatewaySetup, 'providers'> => ({
  routes: [
    {
      model: 'm',
      candidates: [{ provider: 'm', model: undefined }],
      firewall: testFirewall({ approve: { threshold: 'write', tools: [], lifetimeMs: 30_000 } }),
    },
  ],
  config: { storage: { url: new Secret('sqlite::memory:'), contents: true, retentionDays: 1 } },
  options: authorize === undefined ? {} : { authorize },
});

/** Says yes to whatever is asked for, with other arguments. */
function approveAll({ stores }: TestGateway, edited: Readonly<Record<string, string>>): void {
  stores.approvals.subscribe(({ id, status }) => {
    if (status === 'pending')
      void stores.approvals.decide(id, { verdict: 'approve', by: 'rex', arguments: edited });
  });
}

test.each([
  ['that goes out', undefined, 'allowed'],
  ['that the authorizer does not let out', (path: unknown) => path === 'a', 'refused'],
] as const)(
  'the log keeps the arguments of a changed call %s as the reviewer wrote them',
  async (_, permits, verdict) => {
    const setup = keeping(permits && (({ arguments: asked }) => permits(asked['path'])));
    const answer = answerOf(CHAT, false, turnEvents([{ id: 'c1', arguments: '{"path":"a"}' }]));
    await withRawProvider(CHAT, [answer], setup, async (gateway) => {
      approveAll(gateway, { path: 'longer' });
      await post(`${gateway.url}${surfacePath(CHAT, false)}`, oddRequest(CHAT, false));
      await gateway.stores.calls.flush();
      const text = '{"path":"longer"}';
      expect((await gateway.stores.calls.list()).items).toMatchObject([
        {
          verdict,
          arguments: text,
          argumentsBytes: text.length,
          argumentsDigest: digest({ path: 'longer' }),
        },
      ]);
    });
  },
);

test('the log keeps the text of a changed custom call', async () => {
  const call = { id: 'k', type: 'custom', custom: { name: 'sql', input: 'drop' } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  const answer = { id: 'c', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
  const request = {
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'custom', custom: { name: 'sql' } }],
  };
  await withRawProvider(CHAT, [sendJson(JSON.stringify(answer))], keeping(), async (gateway) => {
    approveAll(gateway, { input: 'select' });
    const { body } = await post(`${gateway.url}${surfacePath(CHAT, false)}`, JSON.stringify(request));
    expect(body).toContain('"select"');
    await gateway.stores.calls.flush();
    expect((await gateway.stores.calls.list()).items).toMatchObject([
      { arguments: 'select', argumentsBytes: 6 },
    ]);
  });
});

test('twenty calls of one answer that wait at once are no leak to Node.js', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error): void => void warnings.push(warning);
  process.on('warning', listen);
  const calls = Array.from({ length: 20 }, (_, index) => ({
    id: `c${index}`,
    arguments: `{"path":"${index}"}`,
  }));
  const answer = answerOf(CHAT, false, turnEvents(calls));
  await withRawProvider(CHAT, [answer], keeping(), async (gateway) => {
    const answering = post(`${gateway.url}${surfacePath(CHAT, false)}`, oddRequest(CHAT, false));
    const pending = async () => (await gateway.stores.approvals.list({ status: 'pending' })).items;
    await expect.poll(async () => (await pending()).length, { timeout: 10_000 }).toBe(20);
    // Each of them listens by the time that it hears of its decision.
    for (const { id } of await pending())
      await gateway.stores.approvals.decide(id, { verdict: 'decline', by: 'rex' });
    await answering;
  });
  process.off('warning', listen);
  expect(warnings).toEqual([]);
});
