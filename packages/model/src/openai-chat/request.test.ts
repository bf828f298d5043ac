import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import type { ModelCall, ToolChoice } from '../call/model-call.ts';
import { openaiChat } from './openai-chat.ts';

function decode(body: object): ModelCall {
  return openaiChat.decodeRequest({ model: 'm', messages: [], ...body } as unknown as JsonValue).value;
}

function encode(call: Partial<ModelCall>) {
  const { value, losses } = openaiChat.encodeRequest({ model: 'm', items: [], ...call });
  return { body: JSON.parse(JSON.stringify(value.body)), losses };
}

const user = (text: string): Item => ({ kind: 'message', role: 'user', parts: [{ kind: 'text', text }] });
const call = (callId: string, name = 'f'): Item => ({ kind: 'tool-call', callId, name, arguments: '{}' });
const result = (callId: string, text = 'ok'): Item => ({
  kind: 'tool-result',
  callId,
  parts: [{ kind: 'text', text }],
});
const wireCall = (id: string, name = 'f') => ({ id, type: 'function', function: { name, arguments: '{}' } });
const invalid = (pointer: string) => expect.objectContaining({ code: 'model/request-invalid', pointer });

describe('tool choice', () => {
  const ROWS: readonly [unknown, ToolChoice][] = [
    ['auto', { mode: 'auto' }],
    ['none', { mode: 'none' }],
    ['required', { mode: 'any' }],
    [
      { type: 'function', function: { name: 'a' } },
      { mode: 'named', name: 'a' },
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] },
      },
      { mode: 'auto', allowed: ['a'] },
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'a' } }] },
      },
      { mode: 'any', allowed: ['a'] },
    ],
    [
      { type: 'custom', custom: { name: 'x' } },
      { mode: 'foreign', protocol: 'openai-chat', value: { type: 'custom', custom: { name: 'x' } } },
    ],
  ];

  test.each(ROWS)('%j', (wire, choice) => {
    expect(decode({ tool_choice: wire }).toolChoice).toEqual(choice);
    const tools: ModelCall['tools'] = [{ kind: 'function', name: 'a' }];
    expect(encode({ tools, toolChoice: choice }).body.tool_choice).toEqual(wire);
  });

  test('what is absent stays absent, and the parallel flag invents no choice', () => {
    expect(decode({})).not.toHaveProperty('toolChoice');
    const tools: ModelCall['tools'] = [{ kind: 'function', name: 'a' }];
    expect(encode({ tools, parallelToolCalls: false }).body).toEqual({
      model: 'm',
      messages: [],
      tools: [{ type: 'function', function: { name: 'a' } }],
      parallel_tool_calls: false,
    });
  });

  test('a choice of another protocol is refused and not widened', () => {
    expect(() =>
      encode({
        toolChoice: { mode: 'foreign', protocol: 'openai-responses', value: { type: 'file_search' } },
      }),
    ).toThrow(expect.objectContaining({ code: 'model/not-encodable', pointer: '/toolChoice' }));
  });
});

describe('conversation', () => {
  const ROWS: readonly [string, readonly object[], readonly Item[]][] = [
    ['text as text', [{ role: 'user', content: 'hi' }], [user('hi')]],
    [
      'calls before their results',
      [
        { role: 'assistant', content: null, tool_calls: [wireCall('c1'), wireCall('c2')] },
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
        { role: 'tool', tool_call_id: 'c2', content: 'ok' },
      ],
      [call('c1'), call('c2'), result('c1'), result('c2')],
    ],
    [
      'text before calls',
      [
        { role: 'assistant', content: 'look', tool_calls: [wireCall('c1')] },
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      ],
      [
        { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'look' }] },
        call('c1'),
        result('c1'),
      ],
    ],
    [
      'a refusal',
      [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }],
      [{ kind: 'message', role: 'assistant', parts: [{ kind: 'refusal', text: 'no' }] }],
    ],
    [
      'operators in the middle',
      [
        { role: 'user', content: 'a' },
        { role: 'system', content: 'b' },
        { role: 'developer', content: 'c' },
      ],
      [
        user('a'),
        { kind: 'message', role: 'system', parts: [{ kind: 'text', text: 'b' }] },
        { kind: 'message', role: 'developer', parts: [{ kind: 'text', text: 'c' }] },
      ],
    ],
    [
      'a failed result',
      [
        { role: 'assistant', content: null, tool_calls: [wireCall('c1')] },
        { role: 'tool', tool_call_id: 'c1', content: '[toolgate:error] no such file' },
      ],
      [
        call('c1'),
        { kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'no such file' }], isError: true },
      ],
    ],
    [
      'a result that looks failed',
      [
        { role: 'assistant', content: null, tool_calls: [wireCall('c1')] },
        { role: 'tool', tool_call_id: 'c1', content: '[toolgate:text] [toolgate:error] x' },
      ],
      [call('c1'), result('c1', '[toolgate:error] x')],
    ],
    [
      'a file by its id',
      [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }],
      [
        {
          kind: 'message',
          role: 'user',
          parts: [{ kind: 'file', source: { kind: 'file-id', protocol: 'openai-chat', id: 'file-1' } }],
        },
      ],
    ],
    [
      'an unknown part',
      [{ role: 'user', content: [{ type: 'hologram', x: 1 }] }],
      [
        {
          kind: 'message',
          role: 'user',
          parts: [{ kind: 'foreign', protocol: 'openai-chat', value: { type: 'hologram', x: 1 } }],
        },
      ],
    ],
    [
      'members nobody knows',
      [
        {
          role: 'user',
          name: 'Ann',
          content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }],
        },
      ],
      [
        {
          kind: 'message',
          role: 'user',
          parts: [
            {
              kind: 'text',
              text: 'hi',
              extensions: { protocol: 'openai-chat', members: { cache_control: { type: 'ephemeral' } } },
            },
          ],
          extensions: { protocol: 'openai-chat', members: { name: 'Ann' } },
        },
      ],
    ],
    [
      'nested members nobody knows',
      [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png', x: 1 }, y: 2 }],
        },
      ],
      [
        {
          kind: 'message',
          role: 'user',
          parts: [
            {
              kind: 'image',
              source: { kind: 'url', url: 'https://example.org/a.png' },
              extensions: { protocol: 'openai-chat', members: { y: 2, image_url: { x: 1 } } },
            },
          ],
        },
      ],
    ],
    [
      'a custom call and its result',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      ],
      [
        {
          kind: 'foreign',
          protocol: 'openai-chat',
          role: 'assistant',
          value: { id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } },
        },
        result('c1'),
      ],
    ],
    [
      'thoughts in the member they came in',
      [{ role: 'assistant', reasoning_content: 'hm', content: 'yes' }],
      [
        {
          kind: 'reasoning',
          text: 'hm',
          extensions: { protocol: 'openai-chat', members: { field: 'reasoning_content' } },
        },
        { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'yes' }] },
      ],
    ],
  ];

  test.each(ROWS)('%s', (_name, messages, items) => {
    expect(decode({ messages }).items).toEqual(items);
    expect(encode({ items }).body.messages).toEqual(messages);
  });

  test('argument text is sent exactly as it was recorded', () => {
    const text = '{ "a" : 1.0,\n"b":"\\u00e9" }';
    const { body } = encode({ items: [{ kind: 'tool-call', callId: 'c1', name: 'f', arguments: text }] });
    expect(body.messages[0].tool_calls[0].function.arguments).toBe(text);
    expect(decode({ messages: body.messages }).items[0]).toMatchObject({ arguments: text });
  });

  test('a message between a call and its result moves behind the result', () => {
    const { body, losses } = encode({ items: [call('c1'), user('note'), result('c1')] });
    expect(body.messages.map((message: { role: string }) => message.role)).toEqual([
      'assistant',
      'tool',
      'user',
    ]);
    expect(losses).toEqual([
      { code: 'relocated', path: '/items/2', severity: 'info', detail: expect.any(String) },
    ]);
  });

  test('neighbouring calls are one message, also when a message stands between their results', () => {
    const { body } = encode({ items: [call('c1'), call('c2'), result('c2'), user('note'), result('c1')] });
    expect(body.messages).toMatchObject([
      { tool_calls: [{ id: 'c1' }, { id: 'c2' }] },
      { tool_call_id: 'c2' },
      { tool_call_id: 'c1' },
      { role: 'user' },
    ]);
  });

  test('an id that is used again in a later turn gets the result of that turn', () => {
    const { body } = encode({
      items: [call('c1'), result('c1', 'first'), call('c1'), result('c1', 'second')],
    });
    expect(body.messages.map((message: { content: unknown }) => message.content)).toEqual([
      null,
      'first',
      null,
      'second',
    ]);
  });

  test('a result without a call is refused', () => {
    for (const items of [[result('c1')], [result('c1'), call('c1')]]) {
      expect(() => encode({ items })).toThrow(
        expect.objectContaining({ code: 'model/not-encodable', pointer: '/items/0' }),
      );
    }
  });

  test('an image of a result moves to one user message behind all results, with the id of its call', () => {
    const image = {
      kind: 'image',
      source: { kind: 'base64', mediaType: 'image/png', data: 'AAEC' },
    } as const;
    const { body, losses } = encode({
      items: [
        call('c1'),
        call('c2'),
        { kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'shot' }, image] },
        result('c2'),
      ],
    });
    expect(body.messages.slice(1)).toMatchObject([
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: expect.stringMatching(/^shot\n.*image/),
      },
      { role: 'tool', tool_call_id: 'c2', content: 'ok' },
      {
        role: 'user',
        content: [{ type: 'text', text: expect.stringContaining('c1') }, { type: 'image_url' }],
      },
    ]);
    expect(losses).toContainEqual(
      expect.objectContaining({ code: 'relocated', path: '/items/2/parts/1', severity: 'warning' }),
    );
  });

  test('several texts of a result are one, because many servers read no list there', () => {
    const parts = ['one', '', 'two'].map((text) => ({ kind: 'text', text }) as const);
    const failed: Item = { kind: 'tool-result', callId: 'c1', isError: true, parts };
    const { body, losses } = encode({ items: [call('c1'), failed] });
    expect(body.messages[1]).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: '[toolgate:error] one\n\ntwo',
    });
    expect(losses).toContainEqual(
      expect.objectContaining({ code: 'approximated', path: '/items/1/parts', severity: 'info' }),
    );
  });

  test('texts of a result that have members of their own stay apart', () => {
    const marked = {
      kind: 'text',
      text: 'two',
      extensions: { protocol: 'openai-chat', members: { cache_control: { type: 'ephemeral' } } },
    } as const;
    const answer: Item = {
      kind: 'tool-result',
      callId: 'c1',
      parts: [{ kind: 'text', text: 'one' }, marked],
    };
    expect(encode({ items: [call('c1'), answer] }).body.messages[1].content).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two', cache_control: { type: 'ephemeral' } },
    ]);
  });

  test('what cannot be carried leaves a note and an error loss', () => {
    const audio = {
      kind: 'audio',
      source: { kind: 'base64', mediaType: 'audio/ogg', data: 'AAEC' },
    } as const;
    const { body, losses } = encode({ items: [{ kind: 'message', role: 'user', parts: [audio] }] });
    expect(body.messages[0].content).toBe('[audio left out: this protocol cannot carry it]');
    expect(losses).toEqual([
      expect.objectContaining({ code: 'dropped', path: '/items/0/parts/0', severity: 'error' }),
    ]);
  });

  test('thoughts of another route are not replayed, and no signature is', () => {
    const { body, losses } = encode({
      items: [
        { kind: 'reasoning', text: 'hm', opaque: { protocol: 'anthropic', form: 'signature', value: 'SIG' } },
        {
          kind: 'tool-call',
          callId: 'c1',
          name: 'f',
          arguments: '{}',
          signature: { protocol: 'gemini', form: 'signature', value: 'SIG' },
        },
      ],
    });
    expect(JSON.stringify(body)).not.toMatch(/SIG|hm/);
    expect(losses.map(({ path }) => path)).toEqual(['/items/0', '/items/1/signature']);
  });

  test('items, tools and continuations of another provider are refused by name', () => {
    const { losses } = encode({
      items: [{ kind: 'foreign', protocol: 'anthropic', role: 'assistant', value: {} }],
      tools: [{ kind: 'foreign', protocol: 'openai-responses', name: 'web_search', value: {} }],
    });
    expect(losses).toMatchObject([
      { code: 'refused', path: '/items/0', severity: 'error' },
      { code: 'refused', path: '/tools/0', severity: 'error' },
    ]);
    expect(() => encode({ previousResponseId: 'resp_1' })).toThrow(
      expect.objectContaining({ code: 'model/not-encodable' }),
    );
  });
});

describe('leniency', () => {
  test('legacy functions and function messages are read as tools, calls and results', () => {
    const { value, losses } = openaiChat.decodeRequest({
      model: 'm',
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'get_weather', arguments: '{}' } },
        { role: 'function', name: 'get_weather', content: '{"temp":25}' },
      ],
      functions: [{ name: 'get_weather', parameters: { type: 'object' } }],
      function_call: { name: 'get_weather' },
    });
    const [made, answered] = value.items;
    expect(made).toMatchObject({ kind: 'tool-call', name: 'get_weather' });
    expect(answered).toMatchObject({ kind: 'tool-result', callId: (made as { callId: string }).callId });
    expect(value.tools).toEqual([{ kind: 'function', name: 'get_weather', parameters: { type: 'object' } }]);
    expect(value.toolChoice).toEqual({ mode: 'named', name: 'get_weather' });
    expect(losses.length).toBeGreaterThan(0);
  });

  test.each(['', 'null', ' ', undefined])(
    'a call with the id %j gets one, and its result is paired with it',
    (id) => {
      const { value } = openaiChat.decodeRequest({
        model: 'm',
        messages: [
          {
            role: 'assistant',
            content: '',
            tool_calls: [
              id === undefined ? { function: wireCall('x').function } : wireCall(id),
              wireCall('c2'),
            ],
          },
          { role: 'tool', tool_call_id: id ?? '', content: 'ok' },
          { role: 'tool', tool_call_id: 'c2', content: 'ok' },
        ],
      });
      const ids = value.items.map((item) => (item as { callId: string }).callId);
      expect(ids).toEqual([expect.stringMatching(/^call_/), 'c2', ids[0], 'c2']);
    },
  );

  test('arguments as an object are read as their text and reported', () => {
    const { value, losses } = openaiChat.decodeRequest({
      model: 'm',
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ id: 'x', type: 'function', function: { name: 'add', arguments: { a: 1, b: 2 } } }],
        },
      ],
    });
    expect(value.items[0]).toMatchObject({ arguments: '{"a":1,"b":2}' });
    expect(losses).toMatchObject([
      { code: 'approximated', path: '/messages/0/tool_calls/0/function/arguments' },
    ]);
  });

  test('only instructions are a request without items', () => {
    expect(decode({ messages: [{ role: 'system', content: 'Write a haiku' }] })).toEqual({
      model: 'm',
      instructions: [{ role: 'system', text: 'Write a haiku' }],
      items: [],
    });
  });
});

describe('refusals', () => {
  const ROWS: readonly [string, object, string][] = [
    ['no messages', { messages: undefined }, '/messages'],
    ['a message that is text', { messages: ['hi'] }, '/messages/0'],
    ['an unknown role', { messages: [{ role: 'wizard', content: 'x' }] }, '/messages/0/role'],
    ['content that is a number', { messages: [{ role: 'user', content: 5 }] }, '/messages/0/content'],
    ['a result for nothing', { messages: [{ role: 'tool', content: 'x' }] }, '/messages/0/tool_call_id'],
    [
      'a call without a name',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: '' } }] }] },
      '/messages/0/tool_calls/0/function/name',
    ],
    ['a tool without a type', { tools: [{ function: { name: 'a' } }] }, '/tools/0/type'],
    [
      'a schema that is text',
      { tools: [{ type: 'function', function: { name: 'a', parameters: '{}' } }] },
      '/tools/0/function/parameters',
    ],
    ['tools twice', { tools: [], functions: [] }, '/functions'],
    ['an unknown choice', { tool_choice: 'maybe' }, '/tool_choice'],
    ['a temperature that is text', { temperature: '0' }, '/temperature'],
    ['a stream that is text', { stream: 'yes' }, '/stream'],
    ['stop texts that are numbers', { stop: [1] }, '/stop/0'],
  ];

  test.each(ROWS)('%s', (_name, body, pointer) => {
    expect(() => decode(body)).toThrow(invalid(pointer));
  });

  test.each([null, [], 'x', 5])('a body that is %j', (body) => {
    expect(() => openaiChat.decodeRequest(body)).toThrow(invalid(''));
  });

  test('a prototype is no body', () => {
    expect(() => openaiChat.decodeRequest(Object.create({ model: 'm', messages: [] }))).toThrow(
      invalid('/model'),
    );
  });
});

describe('settings', () => {
  test('both spellings of the limit are kept apart', () => {
    expect(encode(decode({ max_tokens: 5 })).body).toMatchObject({ max_tokens: 5 });
    expect(encode(decode({ max_completion_tokens: 5 })).body).toMatchObject({ max_completion_tokens: 5 });
    expect(encode({ limits: { maxOutputTokens: 5 } }).body).toMatchObject({ max_completion_tokens: 5 });
    expect(encode(decode({ max_tokens: 5, max_completion_tokens: 6 })).body).toMatchObject({
      max_completion_tokens: 6,
    });
  });

  test('a stream always asks for usage, and says so when the client did not', () => {
    const asked = encode(decode({ stream: true, stream_options: { include_usage: true, x: 1 } }));
    expect(asked.body.stream_options).toEqual({ x: 1, include_usage: true });
    expect(asked.losses).toEqual([]);
    const silent = encode(decode({ stream: true }));
    expect(silent.body.stream_options).toEqual({ include_usage: true });
    expect(silent.losses).toEqual([expect.objectContaining({ code: 'synthesised', path: '/streamUsage' })]);
  });

  test('unknown members come back', () => {
    const body = { logit_bias: { '50256': -100 }, metadata: { a: 'b' }, modalities: ['text'], store: true };
    expect(encode(decode(body)).body).toEqual({ model: 'm', messages: [], ...body });
  });

  test('null is not absent where the wire knows both', () => {
    expect(encode(decode({ temperature: null, stop: null, n: null })).body).toMatchObject({
      temperature: null,
      stop: null,
      n: null,
    });
  });
});

test('a decoded call and everything in it is frozen', () => {
  const value = decode({
    messages: [{ role: 'user', content: 'a' }],
    tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } } }],
  });
  expect(Object.isFrozen(value) && Object.isFrozen(value.items) && Object.isFrozen(value.items[0])).toBe(
    true,
  );
  const [tool] = value.tools ?? [];
  expect(tool?.kind === 'function' && Object.isFrozen(tool.parameters)).toBe(true);
});

describe('a message that is nothing but a text', () => {
  const frozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(frozen));

  test.each(['user', 'assistant'].flatMap((role) => ['', 'a'].map((text) => ({ role, text }))))(
    'is read as one that says so in a list: $role, "$text"',
    ({ role, text }) => {
      const plain = decode({ messages: [{ content: text, role }] });
      const listed = decode({ messages: [{ role, content: [{ type: 'text', text }] }] });
      expect(plain.items).toEqual(listed.items);
      expect(frozen(plain.items)).toBe(true);
    },
  );

  test('is one no more with another member, which is kept or read', () => {
    for (const role of ['user', 'assistant']) {
      const [item] = decode({ messages: [{ role, content: 'a', name: 'n' }] }).items;
      expect(item).toMatchObject({ extensions: { members: { name: 'n' } } });
    }
    const messages = [{ role: 'assistant', content: 'a', tool_calls: [wireCall('1')] }];
    expect(decode({ messages }).items).toHaveLength(2);
  });

  test('has members of its own only', () => {
    const inherited = Object.assign(Object.create({ content: 'a' }), { role: 'user' });
    expect(decode({ messages: [inherited] }).items).toEqual([user('')]);
  });
});
