import type { JsonObject } from '@toolgate/core';
import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { readAnswer, textOf, withRawProvider } from '../../test-support/ask-raw.ts';
import { testFirewall } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { sendEvents, sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../test-support/wire-samples.ts';

const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
const CALL = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"path":"a"}' } };

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', created: 1, model: 'up', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const STREAM = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: [thinking('H')] }),
  chunk({ content: [thinking('m.'), { type: 'text', text: 'Ye' }] }),
  chunk({ content: 's.' }),
  chunk({ tool_calls: [{ index: 0, ...CALL }] }),
  chunk({ content: '' }, 'tool_calls'),
  'data: [DONE]\n\n',
];
const WHOLE = JSON.stringify({
  id: 'r',
  object: 'chat.completion',
  created: 1,
  model: 'up',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: [thinking('Hm.'), { type: 'text', text: 'Yes.' }],
        tool_calls: [CALL],
      },
    },
  ],
});

const answer = (stream: boolean) => (stream ? sendEvents(STREAM) : sendJson(WHOLE));

describe.each([true, false])('thoughts among the parts of a content (streamed: %s)', (stream) => {
  test.each(PROTOCOLS)('are thoughts for a client of %s', async (surface) => {
    await withRawProvider('openai-chat', [answer(stream)], {}, async ({ traffic, url }) => {
      const path = surfacePath(surface, stream);
      const { body } = await post(`${url}${path}`, oddRequest(surface, stream));
      const response = readAnswer(surface, stream, body);
      const thoughts = response.items.flatMap((item) =>
        item.kind === 'reasoning' ? [item.text ?? item.summary?.join('')] : [],
      );
      expect([thoughts, textOf(response), response.finish]).toEqual([['Hm.'], 'Yes.', 'tool-calls']);
      expect(traffic[0]?.losses.filter(({ path: place }) => place.includes('content'))).toEqual([]);
      if (surface === 'openai-chat') expect(body).toBe(stream ? STREAM.join('') : WHOLE);
    });
  });

  test('stay in an answer that is changed behind them', async () => {
    const firewall = testFirewall({ scope: { allow: [], deny: ['find'] } });
    const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall }];
    await withRawProvider('openai-chat', [answer(stream)], { routes }, async ({ url }) => {
      const path = surfacePath('openai-chat', stream);
      const { body } = await post(`${url}${path}`, oddRequest('openai-chat', stream));
      const response = readAnswer('openai-chat', stream, body);
      expect(response.items).toMatchObject([{ kind: 'reasoning', text: 'Hm.' }, { kind: 'message' }]);
      expect(textOf(response)).toContain('[toolgate]');
      expect(body).not.toContain('"find"');
    });
  });
});
