import { once } from 'node:events';
import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, withRawProvider } from '../../../test-support/ask-raw.ts';
import { testFirewall } from '../../../test-support/gateway-fixture.ts';
import { data, named, type Wire } from '../../../test-support/honest/events.ts';
import { openPost, post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const chunk = (delta: Wire, finish: string | null = null, index = 0): Wire => ({
  id: 'a',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'up',
  choices: [{ index, delta, finish_reason: finish }],
});
const BEGIN = chunk({ role: 'assistant', content: 'a' });
const END = chunk({}, 'stop');
const response = (status: string): Wire => ({
  id: 'r',
  object: 'response',
  created_at: 1,
  model: 'up',
  status,
  output: [],
});
const CREATED = { type: 'response.created', response: response('in_progress') };
const announced = (type: string): Wire => ({
  type: 'response.output_item.added',
  output_index: 0,
  item: { id: 'x', type, status: 'in_progress' },
});
const about = (type: string, rest: Wire = {}): Wire => ({ type, output_index: 0, item_id: 'x', ...rest });

const MESSAGE = {
  type: 'message_start',
  message: { id: 'a', type: 'message', role: 'assistant', model: 'up', content: [], usage: {} },
};
const RUN = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
};
const runInput = (text: string): Wire => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'input_json_delta', partial_json: text },
});

/** What comes of an answer that begins so and stands still then. */
async function begun(protocol: Protocol, text: string, mark: string): Promise<string> {
  let seen = '';
  await withRawProvider(protocol, [sendEvents([text], 'stay')], {}, async ({ url }) => {
    const open = await openPost(`${url}${surfacePath(protocol, true)}`, oddRequest(protocol, true));
    open.response.setEncoding('utf8').on('data', (piece: string) => {
      seen += piece;
    });
    while (!seen.includes(mark)) await once(open.response, 'data');
    open.leave();
  });
  return seen;
}

describe('what is certainly no call', () => {
  test.each<[string, Protocol, string, string]>([
    ['sound', 'openai-chat', data(BEGIN, chunk({ audio: { id: 'x', data: 'MARK' } })), 'MARK'],
    ['another answer', 'openai-chat', data(BEGIN, chunk({ content: 'MARK' }, null, 1)), 'MARK'],
    [
      'a part of a picture',
      'openai-responses',
      named(
        CREATED,
        announced('image_generation_call'),
        about('response.image_generation_call.partial_image', { partial_image_b64: 'MARK' }),
      ),
      'MARK',
    ],
    [
      'code that the provider runs',
      'openai-responses',
      named(
        CREATED,
        announced('code_interpreter_call'),
        about('response.code_interpreter_call_code.delta', { delta: 'MARK' }),
      ),
      'MARK',
    ],
    [
      'how a search stands',
      'openai-responses',
      named(
        CREATED,
        announced('web_search_call'),
        about('response.web_search_call.searching', { n: 'MARK' }),
      ),
      'MARK',
    ],
    [
      'the input of a tool that the provider runs',
      'anthropic',
      named(MESSAGE, RUN, runInput('{"query":"'), runInput('MARK')),
      'MARK',
    ],
  ])('goes on at once: %s', async (_what, protocol, text, mark) => {
    expect(await begun(protocol, text, mark)).toBe(text);
  });

  test('may be longer than one event where the provider runs a tool, too', async () => {
    const pieces = Array.from({ length: 18 }, () => runInput('A'.repeat(1024 * 1024)));
    const body = named(
      MESSAGE,
      RUN,
      runInput('"'),
      ...pieces,
      runInput('"'),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    );
    await withRawProvider('anthropic', [sendEvents([body])], {}, async ({ url }) => {
      const path = surfacePath('anthropic', true);
      const answered = await post(`${url}${path}`, oddRequest('anthropic', true));
      expect([answered.broken, answered.body === body]).toEqual([false, true]);
    });
  });

  test('may be longer than one event', async () => {
    const sound = 'A'.repeat(1024 * 1024);
    const body = data(BEGIN, ...Array.from({ length: 18 }, () => chunk({ audio: { data: sound } })), END);
    await withRawProvider('openai-chat', [sendEvents([body])], {}, async ({ url }) => {
      const answered = await post(
        `${url}${surfacePath('openai-chat', true)}`,
        oddRequest('openai-chat', true),
      );
      expect([answered.broken, answered.body === body]).toEqual([false, true]);
    });
  });
});

test.each<[string, Protocol, readonly Wire[]]>([
  [
    'sound that comes with a call',
    'openai-chat',
    [chunk({ audio: { data: 'x' }, tool_calls: [call('rm')] })],
  ],
  ['another answer with a call', 'openai-chat', [chunk({ tool_calls: [call('rm')] }, null, 1)]],
  [
    'how a search stands, with an item',
    'openai-responses',
    [
      CREATED,
      about('response.web_search_call.searching', {
        item: { type: 'function_call', id: 'f', call_id: 'c', name: 'rm', arguments: '{}' },
      }),
    ],
  ],
])('a call that nobody asked for is no aside: %s', async (_what, protocol, events) => {
  const ends = {
    'openai-chat': [END],
    'openai-responses': [{ type: 'response.completed', response: response('completed') }],
  };
  const all = [
    ...(protocol === 'openai-chat' ? [BEGIN] : []),
    ...events,
    ...(ends[protocol as 'openai-chat'] as Wire[]),
  ];
  const body = protocol === 'openai-chat' ? data(...all) : named(...all);
  const routes = [
    { model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall: testFirewall({}) },
  ];
  await withRawProvider(protocol, [sendEvents([body])], { routes }, async ({ url }) => {
    const answered = await post(`${url}${surfacePath(protocol, true)}`, oddRequest(protocol, true));
    expect(answered.body).not.toContain('"rm"');
    expect(callsOf(readAnswer(protocol, true, answered.body))).toEqual([]);
  });
});

test('sound behind a call that waits comes behind it', async () => {
  const find = { index: 0, id: 'c', type: 'function', function: { name: 'find', arguments: '{"path":"a"}' } };
  const body = data(
    BEGIN,
    chunk({ tool_calls: [find] }),
    chunk({ audio: { data: 'x' } }),
    chunk({}, 'tool_calls'),
  );
  await withRawProvider('openai-chat', [sendEvents([body])], {}, async ({ url }) => {
    const answered = await post(`${url}${surfacePath('openai-chat', true)}`, oddRequest('openai-chat', true));
    expect(answered.body).toBe(body);
  });
});

function call(name: string): Wire {
  return { index: 0, id: 'c', type: 'function', function: { name, arguments: '{}' } };
}
