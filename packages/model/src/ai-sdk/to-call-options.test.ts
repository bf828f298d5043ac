import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import type { ModelCall, ToolChoice } from '../call/model-call.ts';
import { aiSdkRoute } from './ai-sdk-route.ts';
import { toCallOptions } from './to-call-options.ts';

const OPENAI = aiSdkRoute('openai.responses');

const encode = (call: Partial<ModelCall>, route = OPENAI) => {
  const { value, losses } = toCallOptions({ model: 'm', items: [], ...call }, route);
  return { value, losses: losses.map(({ path, severity }) => `${severity} ${path}`) };
};

const prompt = (items: readonly Item[], route = OPENAI) => {
  const { value, losses } = encode({ items }, route);
  return { prompt: value.prompt, losses };
};

describe('a conversation', () => {
  test('is one message for the neighbouring items of each role', () => {
    const { value, losses } = encode({
      instructions: [
        { role: 'system', text: 'Be brief.' },
        { role: 'developer', text: 'Be kind.' },
      ],
      items: [
        { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
        {
          kind: 'reasoning',
          text: 'hm',
          id: 'rs_1',
          opaque: { protocol: 'openai-responses', form: 'encrypted', value: 'e' },
        },
        { kind: 'message', role: 'assistant', id: 'msg_1', parts: [{ kind: 'text', text: 'wait' }] },
        { kind: 'tool-call', callId: 'a', id: 'fc_1', name: 'find', arguments: '{"b":1}' },
        { kind: 'tool-call', callId: 'b', name: 'list', arguments: '' },
        { kind: 'tool-result', callId: 'a', parts: [{ kind: 'text', text: 'found' }] },
        { kind: 'tool-result', callId: 'b', name: 'list', parts: [], structured: { n: 1 }, isError: true },
        { kind: 'message', role: 'developer', parts: [{ kind: 'text', text: 'Now be long.' }] },
      ],
    });
    expect(value.prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          {
            type: 'reasoning',
            text: 'hm',
            providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } },
          },
          { type: 'text', text: 'wait', providerOptions: { openai: { itemId: 'msg_1' } } },
          {
            type: 'tool-call',
            toolCallId: 'a',
            toolName: 'find',
            input: { b: 1 },
            providerOptions: { openai: { itemId: 'fc_1' } },
          },
          { type: 'tool-call', toolCallId: 'b', toolName: 'list', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'find',
            output: { type: 'text', value: 'found' },
          },
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'list',
            output: { type: 'error-json', value: { n: 1 } },
          },
        ],
      },
      { role: 'system', content: 'Now be long.' },
    ]);
    expect(losses).toEqual(['info /items/4/arguments']);
  });

  test.each([
    [
      'anthropic.messages',
      { protocol: 'anthropic', form: 'redacted', value: 'e' },
      { anthropic: { redactedData: 'e' } },
    ],
    [
      'anthropic.messages',
      { protocol: 'anthropic', form: 'signature', value: 'e' },
      { anthropic: { signature: 'e' } },
    ],
    [
      'google.generative-ai',
      { protocol: 'gemini', form: 'signature', value: 'e' },
      { google: { thoughtSignature: 'e' } },
    ],
    [
      'azure.responses',
      { protocol: 'openai-responses', form: 'encrypted', value: 'e' },
      { azure: { reasoningEncryptedContent: 'e' } },
    ],
    ['openai.chat', { protocol: 'anthropic', form: 'signature', value: 'e' }, undefined],
  ] as const)('gives %s only its own thoughts back', (provider, opaque, providerOptions) => {
    const { prompt: messages } = prompt([{ kind: 'reasoning', text: 'hm', opaque }], aiSdkRoute(provider));
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', ...(providerOptions === undefined ? {} : { providerOptions }) },
        ],
      },
    ]);
  });

  test('carries files in each of their forms', () => {
    const { prompt: messages, losses } = prompt([
      {
        kind: 'message',
        role: 'user',
        parts: [
          { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' }, detail: 'low' },
          { kind: 'audio', source: { kind: 'url', url: 'https://example.org/a' }, name: 'a.mp3' },
          { kind: 'file', source: { kind: 'file-id', protocol: 'gemini', id: 'f1' } },
          { kind: 'file', source: { kind: 'text', mediaType: 'text/plain', text: 'x' } },
          { kind: 'image', source: { kind: 'url', url: 'not an address' } },
        ],
      },
    ]);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } },
          {
            type: 'file',
            mediaType: 'audio',
            filename: 'a.mp3',
            data: { type: 'url', url: new URL('https://example.org/a') },
          },
          {
            type: 'file',
            mediaType: 'application',
            data: { type: 'reference', reference: { google: 'f1' } },
          },
          { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'x' } },
        ],
      },
    ]);
    expect(losses).toEqual(['info /items/0/parts/0/detail', 'error /items/0/parts/4']);
  });

  test('marks a failure that has several parts', () => {
    const { prompt: messages } = prompt([
      {
        kind: 'tool-result',
        callId: 'a',
        name: 'shot',
        isError: true,
        parts: [
          { kind: 'text', text: 'broken' },
          { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' } },
        ],
      },
    ]);
    expect(messages[0]?.content[0]).toMatchObject({
      output: {
        type: 'content',
        value: [{ text: '[toolgate:error] ' }, { text: 'broken' }, { type: 'file' }],
      },
    });
  });

  test.each([
    [
      'a call that nobody says the provider ran',
      { type: 'tool-call', toolCallId: 'a', toolName: 'pay', input: {} },
    ],
    ['a text', 'x'],
    ['a system message', { type: 'text', text: 'obey' }],
    ['a result without output', { type: 'tool-result', toolCallId: 'a', toolName: 'x' }],
    ['a custom part without a kind', { type: 'custom', kind: 'x' }],
  ])('refuses a foreign item that is %s', (_, value) => {
    const { prompt: messages, losses } = prompt([
      { kind: 'foreign', protocol: 'ai-sdk', role: 'assistant', value },
    ]);
    expect(messages).toEqual([]);
    expect(losses).toEqual(['error /items/0']);
  });

  test('gives back what was kept of the provider', () => {
    const value = { type: 'tool-call', toolCallId: 'a', toolName: 'web', input: {}, providerExecuted: true };
    expect(prompt([{ kind: 'foreign', protocol: 'ai-sdk', role: 'assistant', value }]).prompt).toEqual([
      { role: 'assistant', content: [value] },
    ]);
  });

  test('refuses what another protocol kept', () => {
    const { losses } = prompt([{ kind: 'foreign', protocol: 'anthropic', role: 'assistant', value: {} }]);
    expect(losses).toEqual(['error /items/0']);
  });
});

describe('tools', () => {
  const tools: ModelCall['tools'] = [
    { kind: 'function', name: 'find', description: 'Finds.', parameters: { type: 'object' }, strict: true },
    { kind: 'function', name: 'list', parameters: null },
    { kind: 'foreign', protocol: 'anthropic', name: 'web_search', value: {} },
  ];
  const choose = (toolChoice: ToolChoice) => encode({ tools, toolChoice }).value;

  test('are offered with their schema, and hosted ones are refused by name', () => {
    const { value, losses } = encode({ tools });
    expect(value.tools).toEqual([
      {
        type: 'function',
        name: 'find',
        description: 'Finds.',
        inputSchema: { type: 'object' },
        strict: true,
      },
      { type: 'function', name: 'list', inputSchema: { type: 'object', properties: {} } },
    ]);
    expect(losses).toEqual(['info /tools/1/parameters', 'error /tools/2']);
  });

  test.each<readonly [ToolChoice, unknown]>([
    [{ mode: 'auto' }, { type: 'auto' }],
    [{ mode: 'none' }, { type: 'none' }],
    [{ mode: 'any' }, { type: 'required' }],
    [
      { mode: 'named', name: 'list' },
      { type: 'tool', toolName: 'list' },
    ],
  ])('are chosen as %j', (choice, expected) => {
    expect(choose(choice).toolChoice).toEqual(expected);
  });

  test('that may not be called are not offered', () => {
    expect(choose({ mode: 'any', allowed: ['list'] }).tools?.map(({ name }) => name)).toEqual(['list']);
  });

  test.each<ToolChoice>([
    { mode: 'named', name: 'gone' },
    { mode: 'any', allowed: [] },
    { mode: 'foreign', protocol: 'anthropic', value: {} },
  ])('are never chosen more widely than %j', (choice) => {
    expect(() => choose(choice)).toThrow(expect.objectContaining({ code: 'model/not-encodable' }));
  });
});

describe('settings', () => {
  test('are carried by their names', () => {
    const { value, losses } = encode({
      limits: { maxOutputTokens: 9 },
      sampling: {
        temperature: 0,
        topP: 0.5,
        topK: 3,
        seed: 4,
        frequencyPenalty: 0.1,
        presencePenalty: null,
        stop: ['x'],
        candidates: 1,
      },
      reasoning: { effort: 'low' },
      responseFormat: { kind: 'json-schema', name: 'n', schema: { type: 'object' } },
    });
    expect(value).toEqual({
      prompt: [],
      maxOutputTokens: 9,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      seed: 4,
      frequencyPenalty: 0.1,
      stopSequences: ['x'],
      reasoning: 'low',
      responseFormat: { type: 'json', name: 'n', schema: { type: 'object' } },
    });
    expect(losses).toEqual([]);
  });

  test('without a form are lost by name', () => {
    const { value, losses } = encode({
      sampling: { candidates: 2 },
      reasoning: { effort: 'extreme', budgetTokens: 5, summary: 'auto' },
      responseFormat: { kind: 'foreign', protocol: 'gemini', value: {} },
      parallelToolCalls: false,
      previousResponseId: 'r',
      endUser: 'u',
      extensions: { protocol: 'openai-chat', members: { logprobs: true } },
    });
    expect(value).toEqual({ prompt: [] });
    expect(losses.toSorted()).toEqual([
      'error /previousResponseId',
      'error /responseFormat',
      'info /endUser',
      'info /extensions',
      'info /reasoning/summary',
      'warning /parallelToolCalls',
      'warning /reasoning/budgetTokens',
      'warning /reasoning/effort',
      'warning /sampling/candidates',
    ]);
  });
});

test.each([
  ['openai.chat', 'openai-chat', 'openai'],
  ['openai.responses', 'openai-responses', 'openai'],
  ['azure.responses', 'openai-responses', 'azure'],
  ['anthropic.messages', 'anthropic', 'anthropic'],
  ['vertex.anthropic.messages', 'anthropic', 'anthropic'],
  ['google.generative-ai', 'gemini', 'google'],
  ['google.vertex.chat', 'gemini', 'google'],
  ['mistral.chat', 'openai-chat', 'mistral'],
  ['groq', 'openai-chat', 'groq'],
])('the provider %s is reached by the rules of %s', (provider, protocol, optionsKey) => {
  expect(aiSdkRoute(provider)).toEqual({ protocol, optionsKey });
});

test('a file without content is a note, in what was said and in a result', () => {
  const empty = { kind: 'file', source: { kind: 'base64', mediaType: 'application/pdf', data: '' } } as const;
  const { prompt: written, losses } = prompt([
    { kind: 'message', role: 'user', parts: [empty] },
    { kind: 'tool-call', callId: 'a', name: 'read', arguments: '{}' },
    { kind: 'tool-result', callId: 'a', parts: [empty] },
  ]);
  expect(JSON.stringify(written).split('[file left out: it is empty]')).toHaveLength(3);
  expect(JSON.stringify(written)).not.toContain('application/pdf');
  expect(losses).toEqual(['error /items/0/parts/0', 'error /items/2/parts/0']);
});
