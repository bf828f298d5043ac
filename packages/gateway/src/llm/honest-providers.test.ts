import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, withRawProvider } from '../../test-support/ask-raw.ts';
import { ANTHROPIC_STREAMS } from '../../test-support/honest/anthropic-streams.ts';
import { CHAT_ANSWERS } from '../../test-support/honest/chat-answers.ts';
import { CHAT_STREAMS, REPEATED } from '../../test-support/honest/chat-streams.ts';
import { ARGUMENTS } from '../../test-support/honest/events.ts';
import { GEMINI_STREAMS } from '../../test-support/honest/gemini-streams.ts';
import { RESPONSES_STREAMS } from '../../test-support/honest/responses-streams.ts';
import { post } from '../../test-support/post.ts';
import { sendEvents, sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../test-support/wire-samples.ts';

const rows = (protocol: Protocol, stream: boolean, samples: Readonly<Record<string, string>>) =>
  Object.entries(samples).map(([name, body]) => ({ name, protocol, stream, body }));

const SAMPLES = [
  ...rows('openai-chat', true, CHAT_STREAMS),
  ...rows('openai-responses', true, RESPONSES_STREAMS),
  ...rows('anthropic', true, ANTHROPIC_STREAMS),
  ...rows('gemini', true, GEMINI_STREAMS),
  ...Object.entries(CHAT_ANSWERS).map(([name, body]) => ({
    name,
    protocol: 'openai-chat' as const,
    stream: false,
    body: JSON.stringify(body),
  })),
];

describe('what an honest provider sends', () => {
  test.each(SAMPLES)(
    'passes as it is: $name ($protocol, streamed: $stream)',
    async ({ body, protocol, stream }) => {
      const answer = stream ? sendEvents([body]) : sendJson(body);
      await withRawProvider(protocol, [answer], {}, async ({ url }) => {
        const answered = await post(`${url}${surfacePath(protocol, stream)}`, oddRequest(protocol, stream));
        expect([answered.status, answered.body, answered.broken]).toEqual([200, body, false]);
        expect(callsOf(readAnswer(protocol, stream, answered.body))).toEqual([['find', ARGUMENTS]]);
      });
    },
  );

  test('comes without a message that is said once more after its end', async () => {
    await withRawProvider('openai-chat', [sendEvents([REPEATED])], {}, async ({ url }) => {
      const path = surfacePath('openai-chat', true);
      const answered = await post(`${url}${path}`, oddRequest('openai-chat', true));
      expect([answered.status, answered.broken]).toEqual([200, false]);
      expect(callsOf(readAnswer('openai-chat', true, answered.body))).toEqual([['find', ARGUMENTS]]);
      expect(answered.body).not.toContain('"message"');
      expect(answered.body).toContain('"base_resp"');
    });
  });
});
