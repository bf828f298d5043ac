import type { Protocol } from '@toolgate/model';
import { expect, test } from 'vitest';
import { callsOf, readAnswer, textOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import { data, named } from '../../../test-support/honest/events.ts';
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

const ANTHROPIC = named(
  {
    type: 'message_start',
    message: { id: 'a', type: 'message', role: 'assistant', model: 'up', content: [], usage: {} },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Looking' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'c', name: 'find', input: {} },
  },
  {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' },
  },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
);

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
  ['anthropic', 'anthropic', ANTHROPIC, {}],
  ['anthropic', 'openai-chat', ANTHROPIC, {}],
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

test('a second answer that goes on behind the end of the first one is passed on to its end', async () => {
  const piece = (index: number, content: string, finish: string | null): string =>
    data({ ...chunk({}, null), choices: [{ index, delta: { content }, finish_reason: finish }] });
  const sent = [
    piece(0, 'ja', null),
    piece(0, '', 'stop'),
    ...Array.from({ length: 8 }, (_, at) => piece(1, `no ${at}`, null)),
    piece(1, '', 'stop'),
    'data: [DONE]\n\n',
  ];
  const slow: RawAnswer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const text of sent) {
      response.write(text);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    response.end();
  };
  await withRawProvider('openai-chat', [slow], { timeouts: { idleMs: 400 } }, async (gateway) => {
    const url = `${gateway.url}${surfacePath('openai-chat', true)}`;
    const asked = { model: 'm', n: 2, stream: true, messages: [{ role: 'user', content: 'hi' }] };
    const { body, broken } = await post(url, JSON.stringify(asked));
    expect([broken, body]).toEqual([false, sent.join('')]);
  });
});
