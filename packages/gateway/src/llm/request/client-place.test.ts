import type { JsonObject } from '@toolgate/core';
import { codecOf, PROTOCOLS, type Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test-support/ask-raw.ts';
import { turnEvents } from '../../../test-support/wire-samples.ts';
import { clientPlace } from './client-place.ts';

const ASK = { role: 'user', content: 'hi' };
const chat = (...messages: readonly object[]): object => ({ messages: [ASK, ...messages] });
const anthropic = (...messages: readonly object[]): object => ({ max_tokens: 9, ...chat(...messages) });
const responses = (...input: readonly object[]): object => ({ input: [ASK, ...input] });
const call = (id: string): object => ({
  role: 'assistant',
  content: [
    { type: 'text', text: 'so' },
    { type: 'tool_use', id, name: 'find', input: {} },
  ],
});
const result = (id: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'r' }],
});
const search = [
  { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
  { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
];

const FAULTS: readonly (readonly [string, Protocol, Protocol, object, string])[] = [
  [
    'a result without its call, behind instructions',
    'openai-chat',
    'anthropic',
    chat(
      { role: 'system', content: 's' },
      { role: 'assistant', content: 'so' },
      { role: 'tool', tool_call_id: 'x', content: 'r' },
    ),
    '/messages/3',
  ],
  [
    'a result without its call, behind messages of several parts',
    'anthropic',
    'openai-chat',
    anthropic(call('a'), result('a'), call('b'), result('b'), result('x')),
    '/messages/5',
  ],
  [
    'what the provider ran itself, behind a result that was missing',
    'anthropic',
    'openai-chat',
    anthropic(call('a'), ASK, { role: 'assistant', content: search }),
    '/messages/3',
  ],
  [
    'a reference to what is kept elsewhere',
    'openai-responses',
    'gemini',
    responses({ type: 'reasoning', id: 'r', summary: [] }, ASK, { type: 'item_reference', id: 'x' }),
    '/input/3',
  ],
  [
    'a stored conversation',
    'openai-responses',
    'openai-chat',
    { input: 'hi', conversation: 'c' },
    '/conversation',
  ],
  [
    'a stored response',
    'openai-responses',
    'anthropic',
    { input: 'hi', previous_response_id: 'r' },
    '/previous_response_id',
  ],
  [
    'the choice of a hosted tool',
    'openai-responses',
    'anthropic',
    { input: 'hi', tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
    '/tool_choice',
  ],
];

describe('what cannot be carried to another protocol', () => {
  test.each(FAULTS)('is told with its place in the body: %s', async (_, surface, backend, body, place) => {
    const bodies = [{ model: 'm', ...body } as JsonObject];
    const turns = [turnEvents([])];
    await exchange({ surface, backend, stream: false, turns, bodies }, ({ answered, provider }) => {
      expect(answered.status).toBe(400);
      expect(answered.body).toContain(`(${place})`);
      if (surface !== 'anthropic') expect(answered.body).toContain(`"param":"${place}"`);
      expect(provider.requests).toEqual([]);
    });
  });
});

describe('the place of what is no item', () => {
  const placeOf = (protocol: Protocol, pointer: string, limits: object = {}): string | undefined => {
    const codec = codecOf(protocol);
    const call = { model: 'm', items: [], ...limits };
    return clientPlace(pointer, { client: { protocol, codec, body: Buffer.from('{}'), call }, items: [] });
  };

  test('has the name that the protocol of the client has for it', () => {
    const places = PROTOCOLS.map((protocol) =>
      ['/sampling/candidates', '/sampling/stop', '/sampling/topP', '/items'].map((pointer) =>
        placeOf(protocol, pointer),
      ),
    );
    expect(Object.fromEntries(PROTOCOLS.map((protocol, at) => [protocol, places[at]]))).toEqual({
      'openai-chat': ['/n', '/stop', '/top_p', '/messages'],
      'openai-responses': ['/n', '/stop', '/top_p', '/input'],
      anthropic: ['/n', '/stop_sequences', '/top_p', '/messages'],
      gemini: [
        '/generationConfig/candidateCount',
        '/generationConfig/stopSequences',
        '/generationConfig/topP',
        '/contents',
      ],
    });
  });

  test('is the limit under the name that the client wrote', () => {
    const pointer = '/limits/maxOutputTokens';
    expect(placeOf('openai-chat', pointer)).toBe('/max_tokens');
    const limits = { maxOutputTokens: 9, spelling: 'max_completion_tokens' };
    expect(placeOf('openai-chat', pointer, { limits })).toBe('/max_completion_tokens');
  });

  test('is not told where it is the whole body', async () => {
    const routes = [{ model: 'm', strict: true, candidates: [{ provider: 'm', model: undefined }] }];
    const bodies = ['{"model":"m","seed":12345678901234567890,"messages":[{"role":"user","content":"hi"}]}'];
    const sent = {
      surface: 'openai-chat',
      backend: 'anthropic',
      stream: false,
      turns: [turnEvents([])],
    } as const;
    await exchange({ ...sent, bodies, setup: { routes } }, ({ answered }) => {
      expect(answered.status).toBe(400);
      expect(answered.body).toContain('is rounded."');
      expect(answered.body).toContain('"param":null');
    });
  });
});

describe('the place of an item', () => {
  const codec = codecOf('openai-chat');
  const clientOf = (text: string) => {
    const { value } = codec.decodeRequest(JSON.parse(text));
    return { protocol: codec.protocol, codec, body: Buffer.from(text), call: value };
  };
  const turns = Array.from({ length: 40 }, (__, turn) => [
    { role: 'user', content: `q${turn}` },
    {
      role: 'assistant',
      content: 'a',
      tool_calls: [{ id: `c${turn}`, function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${turn}`, content: 'r' },
  ]).flat();

  test('is that of the message it was read from, for every item of a conversation', () => {
    const client = clientOf(
      JSON.stringify({ model: 'm', messages: [{ role: 'system', content: 's' }, ...turns] }),
    );
    const { items } = client.call;
    // A message with a call is two items.
    const places = items.map((___, index) => clientPlace(`/items/${index}/parts/0`, { client, items }));
    expect(places).toEqual(
      turns.flatMap(({ role }, index) =>
        Array.from({ length: role === 'assistant' ? 2 : 1 }, () => `/messages/${index + 1}`),
      ),
    );
  });

  test('is found whatever was put between the items, and not told of what was put there', () => {
    const client = clientOf(JSON.stringify({ model: 'm', messages: turns }));
    const [first, ...others] = client.call.items;
    if (first === undefined) throw new Error('no item');
    const items = [first, { ...first }, ...others];
    expect(clientPlace('/items/2', { client, items })).toBe('/messages/1');
    expect(clientPlace('/items/1', { client, items })).toBeUndefined();
    expect(clientPlace('/items/900', { client, items })).toBeUndefined();
  });

  test('is not told of another kind of item that stands in its place', () => {
    const client = clientOf(JSON.stringify({ model: 'm', messages: turns }));
    const anew = client.call.items.map((item) => ({ ...item }));
    expect(clientPlace('/items/2', { client, items: anew })).toBe('/messages/1');
    const [first, ...others] = anew;
    if (first === undefined) throw new Error('no item');
    expect(clientPlace('/items/2', { client, items: [...others, first] })).toBeUndefined();
  });

  test('is not looked for in a body that is very long', () => {
    const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] });
    const client = clientOf(text);
    expect(clientPlace('/items/0', { client, items: client.call.items })).toBeUndefined();
  });
});
