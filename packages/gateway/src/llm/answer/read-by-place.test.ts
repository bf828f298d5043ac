import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { ASK } from '../../../test-support/clients.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const TOOLS = [
  {
    name: 'find',
    description: 'Finds.',
    schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];
const event = (value: JsonObject & { readonly type: string }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

/** What the official client of a protocol makes of a stream. */
async function calls(protocol: 'anthropic' | 'openai-responses', stream: readonly string[]) {
  return withRawProvider(protocol, [sendEvents(stream)], {}, async ({ url }) => {
    const said = await ASK[protocol](url, { model: 'm', text: 'hi', tools: TOOLS, stream: true });
    return said.calls.map((call) => JSON.stringify(call.arguments));
  });
}

/** What the client gets. */
async function bodyOf(protocol: 'anthropic' | 'openai-responses', stream: readonly string[]) {
  return withRawProvider(protocol, [sendEvents(stream)], {}, async ({ url }) => {
    const path = `${url}${surfacePath(protocol, true)}`;
    return (await post(path, oddRequest(protocol, true))).body;
  });
}

describe('blocks of Anthropic whose numbers are not their places', () => {
  const message = {
    id: 'm',
    type: 'message',
    model: 'up',
    role: 'assistant',
    content: [],
    stop_reason: null,
  };
  const block = (index: number, content: JsonObject, text: string): readonly string[] => [
    event({ type: 'content_block_start', index, content_block: content }),
    event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text } }),
    event({ type: 'content_block_stop', index }),
  ];
  const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'find', input: {} });
  const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
  const answer = (...blocks: readonly (readonly string[])[]): readonly string[] => [
    event({ type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } }),
    ...blocks.flat(),
    event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } }),
    event({ type: 'message_stop' }),
  ];

  test('give no call the arguments of what the provider runs', async () => {
    const stream = answer(block(1, call('c1'), '{"path":"a"}'), block(0, search, '{"path":"evil"}'));
    expect(await calls('anthropic', stream)).toEqual(['{"path":"a"}']);
  });

  test('give no call the arguments of another one', async () => {
    const stream = answer(block(1, call('c1'), '{"path":"a"}'), block(0, call('c2'), '{"path":"b"}'));
    expect(await calls('anthropic', stream)).toEqual(['{"path":"a"}', '{"path":"b"}']);
  });

  test('begin within no block of what the provider runs, whose number a client has already', async () => {
    const [begin = '', piece = '', end = ''] = block(0, search, '{}');
    const stream = answer([begin, piece], block(1, call('c1'), '{"path":"a"}'), [end]);
    const body = await bodyOf('anthropic', stream);
    expect(body).not.toContain('"find"');
    expect(body).toContain('event: error');
  });

  test('begin in no call of the client, for clients that know one block at a time', async () => {
    const [begin = '', piece = '', end = ''] = block(0, call('c1'), '{"path":"a"}');
    const stream = answer([begin], block(1, search, '{"path":"evil"}'), [piece, end]);
    let open: string | undefined;
    const found: string[] = [];
    for (const line of (await bodyOf('anthropic', stream)).split('\n')) {
      if (!line.startsWith('data: ')) continue;
      const { content_block, delta, type } = JSON.parse(line.slice(6)) as {
        readonly type: string;
        readonly content_block?: { readonly type: string };
        readonly delta?: { readonly partial_json?: string };
      };
      if (type === 'content_block_start' && content_block?.type === 'tool_use') open = '';
      if (open !== undefined) open += delta?.partial_json ?? '';
      if (open === undefined || type !== 'content_block_stop') continue;
      found.push(open);
      open = undefined;
    }
    expect(found).toEqual(['{"path":"a"}']);
  });
});

test('a call of Chat that stands where its list should is listed for clients', async () => {
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const entry = {
    index: 0,
    id: 'c1',
    type: 'function',
    function: { name: 'find', arguments: '{"path":"a"}' },
  };
  const stream = [
    chunk({ role: 'assistant', tool_calls: entry }),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
  await withRawProvider('openai-chat', [sendEvents(stream)], {}, async ({ url }) => {
    const said = await ASK['openai-chat'](url, { model: 'm', text: 'hi', tools: TOOLS, stream: true });
    expect(said.calls).toEqual([{ name: 'find', arguments: { path: 'a' } }]);
  });
});

test('a call of Chat that begins in the old form and goes on in the list is one call in one form', async () => {
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const stream = [
    chunk({ role: 'assistant', function_call: { name: 'find', arguments: '' } }),
    chunk({ tool_calls: [{ index: 0, id: 'c1', function: { arguments: '{"path":"a"}' } }] }),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
  await withRawProvider('openai-chat', [sendEvents(stream)], {}, async ({ url }) => {
    const path = `${url}${surfacePath('openai-chat', true)}`;
    expect((await post(path, oddRequest('openai-chat', true))).body).not.toContain('"function_call"');
    const said = await ASK['openai-chat'](url, { model: 'm', text: 'hi', tools: TOOLS, stream: true });
    expect(said.calls).toEqual([{ name: 'find', arguments: { path: 'a' } }]);
  });
});

describe('items of Responses that are named in two ways', () => {
  const call = (id: string, path: string): JsonObject => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name: 'find',
    arguments: JSON.stringify({ path }),
    status: 'completed',
  });
  const [first, second] = [call('c1', 'a'), call('c2', 'b')];
  const added = (item: JsonObject, output_index: number): string =>
    event({ type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } });
  const done = (item: JsonObject, output_index: number): string =>
    event({ type: 'response.output_item.done', output_index, item });
  const piece = (id: string, output_index: number, delta: string): string =>
    event({ type: 'response.function_call_arguments.delta', item_id: `fc_${id}`, output_index, delta });
  const answer = (...events: readonly string[]): readonly string[] => [
    event({
      type: 'response.created',
      response: { id: 'r', model: 'up', status: 'in_progress', output: [] },
    }),
    ...events,
    event({
      type: 'response.completed',
      response: { id: 'r', model: 'up', status: 'completed', output: [first, second] },
    }),
  ];

  /** What a client makes of a stream that goes by the places alone. */
  const byPlace = (body: string): readonly string[] => {
    const texts = new Map<number, string>();
    for (const line of body.split('\n')) {
      if (!line.startsWith('data: ')) continue;
      const { delta, output_index, type } = JSON.parse(line.slice(6)) as {
        readonly type: string;
        readonly output_index: number;
        readonly delta: string;
      };
      if (type === 'response.function_call_arguments.delta')
        texts.set(output_index, (texts.get(output_index) ?? '') + delta);
    }
    return [...texts].sort(([left], [right]) => left - right).map(([, text]) => text);
  };

  test.each([
    [
      'in pieces of calls',
      answer(
        added(first, 0),
        added(second, 1),
        piece('c1', 0, '{"path":'),
        piece('c2', 1, '{"path":'),
        piece('c2', 0, '"b"}'),
        piece('c1', 1, '"a"}'),
        done(first, 0),
        done(second, 1),
      ),
    ],
    [
      'in the order in which they come',
      answer(
        added(first, 1),
        added(second, 0),
        piece('c1', 1, '{"path":"a"}'),
        piece('c2', 0, '{"path":"b"}'),
        done(first, 1),
        done(second, 0),
      ),
    ],
    [
      'in their final forms',
      answer(
        added(first, 0),
        added(second, 1),
        piece('c1', 0, '{"path":"a"}'),
        piece('c2', 1, '{"path":"b"}'),
        done(first, 1),
        done(second, 0),
      ),
    ],
  ])('are one call for each client: %s', async (_, stream) => {
    expect(await calls('openai-responses', stream)).toEqual(['{"path":"a"}', '{"path":"b"}']);
    expect(byPlace(await bodyOf('openai-responses', stream))).toEqual(['{"path":"a"}', '{"path":"b"}']);
  });
});

describe('an event whose name is not its type', () => {
  const hidden = { type: 'function_call', id: 'i', call_id: 'c', name: 'delete_db', arguments: '{}' };
  test('is read by neither', async () => {
    const stream = [
      event({ type: 'response.created', response: { id: 'r', model: 'up', output: [] } }),
      `event: response.output_item.done\ndata: ${JSON.stringify({ type: 'ping', output_index: 0, item: hidden })}\n\n`,
      event({ type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } }),
    ];
    expect(await bodyOf('openai-responses', stream)).not.toContain('delete_db');
  });

  test('is read by neither where Anthropic says it', async () => {
    const block = { type: 'tool_use', id: 'c', name: 'delete_db', input: {} };
    const stream = [
      event({ type: 'message_start', message: { id: 'm', role: 'assistant', model: 'up', content: [] } }),
      `event: content_block_start\ndata: ${JSON.stringify({ type: 'ping', index: 0, content_block: block })}\n\n`,
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
      event({ type: 'message_stop' }),
    ];
    expect(await bodyOf('anthropic', stream)).not.toContain('delete_db');
  });

  test.each(['response.output_item.changed', 'response.item'])(
    'of a kind that nobody knows is no way out: %s',
    async (type) => {
      const stream = [
        event({ type: 'response.created', response: { id: 'r', model: 'up', output: [] } }),
        event({ type, item: hidden }),
        event({ type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } }),
      ];
      expect(await bodyOf('openai-responses', stream)).not.toContain('delete_db');
    },
  );
});
