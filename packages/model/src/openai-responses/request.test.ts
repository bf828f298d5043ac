import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import type { ModelCall, ToolChoice } from '../call/model-call.ts';
import { openaiResponses } from './openai-responses.ts';

function decode(body: object): ModelCall {
  return openaiResponses.decodeRequest({ model: 'm', input: [], ...body } as unknown as JsonValue).value;
}

function encode(call: Partial<ModelCall>) {
  const extensions = { protocol: 'openai-responses' as const, members: {} };
  const { value, losses } = openaiResponses.encodeRequest({ model: 'm', items: [], extensions, ...call });
  return { body: JSON.parse(JSON.stringify(value.body)), losses };
}

const user = (text: string): Item => ({ kind: 'message', role: 'user', parts: [{ kind: 'text', text }] });
const wireUser = (content: unknown) => ({ type: 'message', role: 'user', content });
const wireCall = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
const call = (callId: string): Item => ({ kind: 'tool-call', callId, name: 'f', arguments: '{}' });

describe('tool choice', () => {
  const ROWS: readonly [unknown, ToolChoice][] = [
    ['auto', { mode: 'auto' }],
    ['none', { mode: 'none' }],
    ['required', { mode: 'any' }],
    [
      { type: 'function', name: 'a' },
      { mode: 'named', name: 'a' },
    ],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'a' }] },
      { mode: 'auto', allowed: ['a'] },
    ],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'a' }] },
      { mode: 'any', allowed: ['a'] },
    ],
    [
      { type: 'file_search' },
      { mode: 'foreign', protocol: 'openai-responses', value: { type: 'file_search' } },
    ],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp', server_label: 'x' }] },
      {
        mode: 'foreign',
        protocol: 'openai-responses',
        value: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp', server_label: 'x' }] },
      },
    ],
  ];

  test.each(ROWS)('%j', (wire, choice) => {
    expect(decode({ tool_choice: wire }).toolChoice).toEqual(choice);
    const tools: ModelCall['tools'] = [{ kind: 'function', name: 'a' }];
    expect(encode({ tools, toolChoice: choice }).body.tool_choice).toEqual(wire);
  });

  test('a choice of another protocol is refused and not widened', () => {
    expect(() =>
      encode({ toolChoice: { mode: 'foreign', protocol: 'openai-chat', value: { type: 'custom' } } }),
    ).toThrow(expect.objectContaining({ code: 'model/not-encodable', pointer: '/toolChoice' }));
  });
});

describe('items', () => {
  const ROWS: readonly [string, readonly object[], readonly Item[]][] = [
    ['text', [wireUser('hi')], [user('hi')]],
    [
      'media',
      [
        wireUser([
          { type: 'input_text', text: 'see' },
          { type: 'input_image', detail: 'high', image_url: 'data:image/png;base64,AAEC' },
          { type: 'input_file', filename: 'a.pdf', file_url: 'https://example.org/a.pdf' },
          { type: 'input_file', file_id: 'file-1' },
        ]),
      ],
      [
        {
          kind: 'message',
          role: 'user',
          parts: [
            { kind: 'text', text: 'see' },
            {
              kind: 'image',
              source: { kind: 'base64', mediaType: 'image/png', data: 'AAEC' },
              detail: 'high',
            },
            { kind: 'file', source: { kind: 'url', url: 'https://example.org/a.pdf' }, name: 'a.pdf' },
            { kind: 'file', source: { kind: 'file-id', protocol: 'openai-responses', id: 'file-1' } },
          ],
        },
      ],
    ],
    [
      'a replayed answer',
      [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [
            { type: 'output_text', text: 'hi', annotations: [] },
            { type: 'refusal', refusal: 'no' },
          ],
        },
      ],
      [
        {
          kind: 'message',
          role: 'assistant',
          id: 'msg_1',
          parts: [
            { kind: 'text', text: 'hi' },
            { kind: 'refusal', text: 'no' },
          ],
        },
      ],
    ],
    [
      'an answer without an id',
      [{ type: 'message', role: 'assistant', content: 'hi' }],
      [{ kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'hi' }] }],
    ],
    [
      'a thought before its call, with both ids of the call',
      [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'hm' }],
          encrypted_content: 'gAAA+/=',
        },
        { type: 'function_call', id: 'fc_9', call_id: 'call_3', name: 'f', arguments: '{ "a" : 1.0 }' },
        { type: 'function_call_output', call_id: 'call_3', output: 'ok' },
      ],
      [
        {
          kind: 'reasoning',
          id: 'rs_1',
          summary: ['hm'],
          opaque: { protocol: 'openai-responses', form: 'encrypted', value: 'gAAA+/=' },
        },
        { kind: 'tool-call', id: 'fc_9', callId: 'call_3', name: 'f', arguments: '{ "a" : 1.0 }' },
        { kind: 'tool-result', callId: 'call_3', parts: [{ kind: 'text', text: 'ok' }] },
      ],
    ],
    [
      'a stored thought',
      [{ type: 'reasoning', id: 'rs_1', summary: [] }],
      [{ kind: 'reasoning', id: 'rs_1' }],
    ],
    [
      'a failed result',
      [{ type: 'function_call_output', call_id: 'c1', output: '[toolgate:error] no' }],
      [{ kind: 'tool-result', callId: 'c1', isError: true, parts: [{ kind: 'text', text: 'no' }] }],
    ],
    [
      'an image of a result',
      [
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: [{ type: 'input_image', detail: 'auto', image_url: 'https://example.org/a.png' }],
        },
      ],
      [
        {
          kind: 'tool-result',
          callId: 'c1',
          parts: [{ kind: 'image', source: { kind: 'url', url: 'https://example.org/a.png' } }],
        },
      ],
    ],
    [
      'an unfinished call',
      [{ ...wireCall('c1'), status: 'incomplete' }],
      [
        {
          kind: 'tool-call',
          callId: 'c1',
          name: 'f',
          arguments: '{}',
          extensions: { protocol: 'openai-responses', members: { status: 'incomplete' } },
        },
      ],
    ],
    [
      'a reference',
      [{ type: 'item_reference', id: 'msg_1' }],
      [
        {
          kind: 'foreign',
          protocol: 'openai-responses',
          role: 'assistant',
          value: { type: 'item_reference', id: 'msg_1' },
        },
      ],
    ],
    [
      'what another tool gave',
      [{ type: 'computer_call_output', call_id: 'x', output: {} }],
      [
        {
          kind: 'foreign',
          protocol: 'openai-responses',
          role: 'user',
          value: { type: 'computer_call_output', call_id: 'x', output: {} },
        },
      ],
    ],
    [
      'a message between a call and its result stays where it is',
      [wireCall('c1'), wireUser('note'), { type: 'function_call_output', call_id: 'c1', output: 'ok' }],
      [
        call('c1'),
        user('note'),
        { kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'ok' }] },
      ],
    ],
  ];

  test.each(ROWS)('%s', (_name, input, items) => {
    expect(decode({ input }).items).toEqual(items);
    const { body, losses } = encode({ items });
    expect(body.input).toEqual(input);
    expect(losses.filter(({ severity, code }) => severity !== 'info' || code === 'dropped')).toEqual([]);
  });

  test('text alone is one message of the user', () => {
    expect(decode({ input: 'hi' }).items).toEqual([user('hi')]);
  });

  test('the signature of another provider is dropped and never put where encrypted reasoning belongs', () => {
    const { body, losses } = encode({
      items: [
        {
          kind: 'reasoning',
          text: 'hm',
          id: 'x',
          opaque: { protocol: 'anthropic', form: 'signature', value: 'SIG' },
        },
      ],
    });
    expect(body.input).toEqual([]);
    expect(losses).toEqual([
      expect.objectContaining({ code: 'dropped', path: '/items/0', severity: 'warning' }),
    ]);
  });
});

describe('instructions', () => {
  test('the member and leading items are told apart and put back', () => {
    const body = {
      instructions: 'A',
      input: [{ type: 'message', role: 'developer', content: 'B' }, wireUser('hi')],
    };
    const { instructions, items } = decode(body);
    expect(instructions).toEqual([
      { role: 'system', text: 'A' },
      { role: 'developer', text: 'B', origin: 'item' },
    ]);
    expect(items).toEqual([user('hi')]);
    expect(encode(decode(body)).body).toMatchObject(body);
  });

  test('a leading item alone does not move into the member', () => {
    const body = { input: [{ type: 'message', role: 'system', content: 'B' }] };
    expect(encode(decode(body)).body).toEqual({ model: 'm', ...body });
  });

  test('null is told from absent', () => {
    expect(decode({ instructions: null }).instructions).toBeNull();
    expect(encode({ instructions: null }).body).toHaveProperty('instructions', null);
    expect(decode({})).not.toHaveProperty('instructions');
  });
});

describe('settings', () => {
  test('a call from elsewhere is not stored, and its reasoning comes encrypted', () => {
    const plain = openaiResponses.encodeRequest({ model: 'm', items: [] });
    expect(plain.value.body).toMatchObject({ store: false });
    expect(plain.value.body).not.toHaveProperty('include');
    expect(plain.losses).toEqual([expect.objectContaining({ code: 'synthesised', path: '/extensions' })]);
    const thinking = openaiResponses.encodeRequest({ model: 'm', items: [], reasoning: { effort: 'low' } });
    expect(thinking.value.body).toMatchObject({
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low' },
    });
  });

  test('a call of this protocol says itself what is stored', () => {
    expect(encode(decode({ store: true })).body).toMatchObject({ store: true });
    expect(encode(decode({ metadata: {} })).body).not.toHaveProperty('store');
  });

  test('a tool without a word on strictness stays what it was on both wires', () => {
    const tools = [{ type: 'function', name: 'a', parameters: { type: 'object' } }];
    expect(decode({ tools }).tools).toEqual([
      { kind: 'function', name: 'a', parameters: { type: 'object' }, strict: null },
    ]);
    expect(encode(decode({ tools })).body.tools).toEqual([{ ...tools[0], strict: null }]);
    expect(
      encode({ tools: [{ kind: 'function', name: 'a', parameters: { type: 'object' } }] }).body.tools[0]
        .strict,
    ).toBe(false);
  });

  test('what this protocol has no member for is named', () => {
    const { losses } = encode({ sampling: { stop: ['x'], topK: 3, seed: 1, candidates: 2 } });
    expect(losses).toMatchObject([
      { code: 'dropped', path: '/sampling/topK', severity: 'warning' },
      { code: 'dropped', path: '/sampling/seed', severity: 'warning' },
      { code: 'dropped', path: '/sampling/stop', severity: 'warning' },
      { code: 'refused', path: '/sampling/candidates', severity: 'error' },
    ]);
  });

  test('unknown members come back, nested ones too', () => {
    const body = {
      metadata: { a: 'b' },
      text: { format: { type: 'text' }, verbosity: 'low' },
      reasoning: { effort: 'low', generate_summary: 'auto' },
      truncation: 'auto',
    };
    expect(encode(decode(body)).body).toEqual({ model: 'm', input: [], ...body });
  });

  test('state that the provider keeps is an error loss elsewhere', async () => {
    const { openaiChat } = await import('../openai-chat/openai-chat.ts');
    const { losses } = openaiChat.encodeRequest(decode({ conversation: 'conv_1', metadata: { a: 'b' } }));
    expect(losses).toMatchObject([
      { code: 'dropped', path: '/extensions/members/conversation', severity: 'error' },
      { code: 'relocated', path: '/extensions/members/metadata', severity: 'info' },
    ]);
  });
});

describe('refusals', () => {
  const ROWS: readonly [string, object, string][] = [
    ['an item that is text', { input: ['hi'] }, '/input/0'],
    ['an unknown role', { input: [{ role: 'wizard', content: 'x' }] }, '/input/0/role'],
    ['content that is a number', { input: [{ role: 'user', content: 5 }] }, '/input/0/content'],
    [
      'a result without a call id',
      { input: [{ type: 'function_call_output', output: 'x' }] },
      '/input/0/call_id',
    ],
    [
      'a result under a placeholder',
      { input: [{ type: 'function_call_output', call_id: 'null', output: 'x' }] },
      '/input/0/call_id',
    ],
    [
      'a call without a name',
      { input: [{ type: 'function_call', call_id: 'x', arguments: '' }] },
      '/input/0/name',
    ],
    [
      'summaries that are text',
      { input: [{ type: 'reasoning', id: 'rs', summary: ['x'] }] },
      '/input/0/summary/0',
    ],
    ['a tool without a name', { tools: [{ type: 'function' }] }, '/tools/0/name'],
    ['instructions that are a list', { instructions: [] }, '/instructions'],
    ['a limit that is text', { max_output_tokens: '5' }, '/max_output_tokens'],
  ];

  test.each(ROWS)('%s', (_name, body, pointer) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'model/request-invalid', pointer }));
  });
});
