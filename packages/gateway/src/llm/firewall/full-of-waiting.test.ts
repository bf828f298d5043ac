import { expect, test } from 'vitest';
import { ask, at } from '../../../test-support/admin.ts';
import { answerOf, callsOf, readAnswer, withRawProvider } from '../../../test-support/ask-raw.ts';
import { testFirewall } from '../../../test-support/gateway-fixture.ts';
import { openPost, post } from '../../../test-support/post.ts';
import { oddRequest, surfacePath, turnEvents } from '../../../test-support/wire-samples.ts';

const CHAT = 'openai-chat';
const CALL = { id: 'c1', arguments: '{"path":"a"}' };

test('a gateway that is full of calls that wait lets those in who decide about them', async () => {
  const limits = { bodyBytes: 1_000_000, headerBytes: 32_768, requestMs: 30_000, concurrency: 1 };
  const approve = { threshold: 'write', tools: [], lifetimeMs: 60_000 } as const;
  const setup = {
    routes: [
      {
        model: 'm',
        candidates: [{ provider: 'm', model: undefined }],
        firewall: testFirewall({ approve }),
      },
    ],
    grants: { admin: true },
    config: { limits },
  };
  await withRawProvider(CHAT, [answerOf(CHAT, false, turnEvents([CALL]))], setup, async (gateway) => {
    const opening = openPost(`${gateway.url}${surfacePath(CHAT, false)}`, oddRequest(CHAT, false));
    const waiting = async (): Promise<string> => {
      const id = at((await ask(gateway, '/api/approvals?status=pending')).body, 'items', 0, 'id');
      return typeof id === 'string' ? id : waiting();
    };
    const id = await waiting();
    const another = await post(`${gateway.url}${surfacePath(CHAT, false)}`, oddRequest(CHAT, false));
    expect([another.status, another.body]).toEqual([503, expect.stringContaining('overloaded')]);
    expect((await ask(gateway, `/api/approvals/${id}/approve`, {})).status).toBe(200);
    expect(callsOf(readAnswer(CHAT, false, (await (await opening).rest()).body))).toHaveLength(1);
  });
});
