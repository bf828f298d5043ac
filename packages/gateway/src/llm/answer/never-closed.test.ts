import type { Protocol } from '@toolgate/model';
import { expect, test } from 'vitest';
import { callsOf, readAnswer, textOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import { data } from '../../../test-support/honest/events.ts';
import { post } from '../../../test-support/post.ts';
import type { RawAnswer } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const chunk = (delta: object, finish: string | null): object => ({
  id: 'a',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'up',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const find = { index: 0, id: 'c', type: 'function', function: { name: 'find', arguments: '{"path":"a"}' } };
const CHAT = data(
  chunk({ role: 'assistant', content: 'Looking' }, null) as Record<string, unknown>,
  chunk({ tool_calls: [find] }, null) as Record<string, unknown>,
  chunk({}, 'tool_calls') as Record<string, unknown>,
);
const GEMINI = data({
  responseId: 'a',
  modelVersion: 'up',
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts: [{ text: 'Looking' }, { functionCall: { name: 'find', args: { path: 'a' } } }],
      },
      finishReason: 'STOP',
    },
  ],
});

/** Says all, and then nothing but signs of life. */
function neverCloses(text: string): RawAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    const alive = setInterval(() => response.write(': waiting\n\n'), 20);
    response.once('close', () => clearInterval(alive));
  };
}

const control = [
  {
    model: 'm',
    candidates: [{ provider: 'm', model: undefined }],
    control: { tool: 'attempt_completion' as const },
  },
];

test.each<[Protocol, Protocol, string, object]>([
  ['openai-chat', 'openai-chat', CHAT, {}],
  ['openai-chat', 'anthropic', CHAT, {}],
  ['openai-chat', 'openai-chat', CHAT, { routes: control }],
  ['gemini', 'gemini', GEMINI, {}],
  ['gemini', 'openai-responses', GEMINI, {}],
])(
  'an answer of %s on %s that says how it ends is whole, though its stream is never closed',
  async (backend, surface, text, setup) => {
    const timeouts = { idleMs: 200 };
    await withRawProvider(backend, [neverCloses(text)], { timeouts, ...setup }, async (gateway, provider) => {
      for (const stream of [true, false]) {
        const url = `${gateway.url}${surfacePath(surface, stream)}`;
        const { body, broken } = await post(url, oddRequest(surface, stream));
        const response = readAnswer(surface, stream, body);
        expect([broken, response.finish, textOf(response)]).toEqual([false, 'tool-calls', 'Looking']);
        expect(callsOf(response)).toEqual([['find', '{"path":"a"}']]);
        await provider.idle();
      }
      expect(gateway.traffic.map(({ error, status }) => [status, error])).toEqual([
        [200, undefined],
        [200, undefined],
      ]);
    });
  },
);
