import { expect, test } from 'vitest';
import { answerOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import { testFirewall } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { oddRequest, surfacePath, turnEvents } from '../../../test-support/wire-samples.ts';

const CHAT = 'openai-chat';

test('why nobody could be asked about a call is told to the operator, and not to the client', async () => {
  const approve = { threshold: 'write', tools: [], lifetimeMs: 60_000 } as const;
  const candidates = [{ provider: 'm', model: undefined }];
  const setup = { routes: [{ model: 'm', candidates, firewall: testFirewall({ approve }) }] };
  const answer = answerOf(CHAT, false, turnEvents([{ id: 'c1', arguments: '{"path":"a"}' }]));
  await withRawProvider(CHAT, [answer], setup, async ({ errors, stores, url }) => {
    await stores.approvals.close();
    const { body } = await post(`${url}${surfacePath(CHAT, false)}`, oddRequest(CHAT, false));
    expect(body).toContain('(not_started)');
    expect(body).not.toContain('closed');
    expect(errors).toMatchObject([{ code: 'gateway/closed' }]);
    await stores.calls.flush();
    expect((await stores.calls.list()).items).toMatchObject([{ detail: 'approval_unavailable' }]);
  });
});
