import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { UNSIGNED_THOUGHT } from '../codec/unsigned-thought.ts';
import { anthropic } from './anthropic.ts';

const MESSAGES = [{ role: 'user', content: 'hi' }];

describe('a request', () => {
  test.each<[string, JsonValue, string]>([
    ['a text', 'x', ''],
    ['no model', { messages: MESSAGES }, '/model'],
    ['a model that is no text', { model: 1, messages: MESSAGES }, '/model'],
    ['no messages', { model: 'm' }, '/messages'],
    ['a message that is no object', { model: 'm', messages: ['x'] }, '/messages/0'],
    ['an unknown role', { model: 'm', messages: [{ role: 'tool', content: 'x' }] }, '/messages/0/role'],
    ['a message without content', { model: 'm', messages: [{ role: 'user' }] }, '/messages/0/content'],
    [
      'a block that is no object',
      { model: 'm', messages: [{ role: 'user', content: [1] }] },
      '/messages/0/content/0',
    ],
    [
      'a call without a name',
      { model: 'm', messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', input: {} }] }] },
      '/messages/0/content/0/name',
    ],
    [
      'a result without an id',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] },
      '/messages/0/content/0/tool_use_id',
    ],
    [
      'a tool without a schema',
      { model: 'm', messages: MESSAGES, tools: [{ name: 'a' }] },
      '/tools/0/input_schema',
    ],
    ['a system that is a number', { model: 'm', messages: MESSAGES, system: 1 }, '/system'],
    ['a system of images', { model: 'm', messages: MESSAGES, system: [{ type: 'image' }] }, '/system/0'],
    ['a limit that is a text', { model: 'm', messages: MESSAGES, max_tokens: '5' }, '/max_tokens'],
    ['a choice that is a text', { model: 'm', messages: MESSAGES, tool_choice: 'auto' }, '/tool_choice'],
  ])('%s is refused with its place', (_, body, pointer) => {
    expect(() => anthropic.decodeRequest(body)).toThrow(
      expect.objectContaining({ code: 'model/request-invalid', pointer }),
    );
  });

  test('what is not known stays foreign and goes back as it came', () => {
    const body = {
      model: 'm',
      max_tokens: 10,
      messages: [
        { role: 'user', content: [{ type: 'search_result', title: 't', source: 's', content: [] }] },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srv', name: 'web_search', input: { q: 1 } },
            { type: 'web_search_tool_result', tool_use_id: 'srv', content: [] },
            { type: 'from_the_future', x: [null] },
          ],
        },
      ],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }],
      tool_choice: { type: 'sometimes' },
      context_management: { edits: [] },
    };
    const { value, losses } = anthropic.decodeRequest(body);
    expect(value.items.map(({ kind }) => kind)).toEqual(['message', 'foreign', 'foreign', 'foreign']);
    expect(value.tools?.[0]).toMatchObject({ kind: 'foreign', name: 'web_search' });
    expect(losses).toEqual([]);
    expect(anthropic.encodeRequest(value)).toEqual({ value: { body, path: 'messages' }, losses: [] });
  });

  test('absent, null and empty are three things where the wire tells them apart', () => {
    const decode = (more: object) =>
      anthropic.decodeRequest({ model: 'm', messages: MESSAGES, ...more }).value;
    expect(decode({})).not.toHaveProperty('tools');
    expect(decode({ tools: [] }).tools).toEqual([]);
    expect(decode({ tools: null }).tools).toBeNull();
    expect(decode({ system: [] }).instructions).toEqual([]);
    expect(decode({})).not.toHaveProperty('toolChoice');
    expect(decode({ tool_choice: { type: 'auto' } }).toolChoice).toEqual({ mode: 'auto' });
  });

  test('an id that is missing on both sides is paired by its place', () => {
    const { value, losses } = anthropic.decodeRequest({
      model: 'm',
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: '', name: 'a', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: '', content: 'ok' }] },
      ],
    });
    const [call, result] = value.items;
    expect(call).toMatchObject({ kind: 'tool-call', callId: expect.stringMatching(/^call_/) });
    expect(result).toMatchObject({ kind: 'tool-result', callId: (call as { callId: string }).callId });
    expect(losses.map(({ code }) => code)).toEqual(['synthesised', 'synthesised']);
  });
});

describe('an answer', () => {
  test.each<[string, JsonValue, string]>([
    ['no content', { type: 'message' }, '/content'],
    ['content that is a number', { type: 'message', content: 1 }, '/content'],
    [
      'a call with a number for a name',
      { content: [{ type: 'tool_use', id: 'x', name: 1 }] },
      '/content/0/name',
    ],
  ])('%s is refused with its place', (_, body, pointer) => {
    expect(() => anthropic.decodeResponse(body)).toThrow(
      expect.objectContaining({ code: 'model/response-invalid', pointer }),
    );
  });

  test('an error body is the provider’s failure, in its code and not its words', () => {
    const body = { type: 'error', error: { type: 'overloaded_error', message: 'host 10.0.0.1 is down' } };
    expect(() => anthropic.decodeResponse(body)).toThrow(
      expect.objectContaining({
        code: 'model/provider-error',
        message: expect.not.stringContaining('10.0.0.1'),
      }),
    );
  });

  test.each([
    ['end_turn', 'stop', undefined],
    ['stop_sequence', 'stop', undefined],
    ['max_tokens', 'length', undefined],
    ['model_context_window_exceeded', 'length', undefined],
    ['refusal', 'content-filter', undefined],
    ['pause_turn', 'paused', undefined],
    ['something_new', 'unknown', undefined],
    ['tool_use', 'tool-calls', 'call'],
    ['end_turn', 'tool-calls', 'call'],
    ['max_tokens', 'length', 'open call'],
    ['refusal', 'content-filter', 'open call'],
    ['something_new', 'unknown', 'open call'],
  ])('%s is %s (%s)', (word, finish, call) => {
    const content = call === undefined ? [] : [{ type: 'tool_use', id: 'c', name: 'a', input: {} }];
    const { value } = anthropic.decodeResponse({ type: 'message', content, stop_reason: word });
    expect(value).toMatchObject({ finish, finishDetail: word });
    expect(value.incomplete).toEqual(call === 'open call' ? ['c'] : undefined);
  });

  test('usage that is missing is unknown and never 0', () => {
    const usage = (value: JsonValue | undefined) =>
      anthropic.decodeResponse({ content: [], ...(value === undefined ? {} : { usage: value }) }).value.usage;
    expect(usage(undefined)).toBeNull();
    expect(usage({})).toBeNull();
    expect(usage({ output_tokens: 3 })).toMatchObject({ inputTotal: null, outputTotal: 3 });
    expect(
      usage({ input_tokens: 1, cache_creation_input_tokens: 2, cache_read_input_tokens: null }),
    ).toMatchObject({
      inputTotal: 3,
      cacheWrite: 2,
      cacheRead: null,
    });
  });
});

describe('an answer for a client', () => {
  const call = { kind: 'tool-call', callId: 'c', name: 'a', arguments: '{"x":' } as const;
  const base = { id: 'i', model: 'm', usage: null } as const;

  test('a finished call whose arguments are no object is refused: an empty one would be executed', () => {
    expect(() => anthropic.encodeResponse({ ...base, items: [call], finish: 'tool-calls' })).toThrow(
      expect.objectContaining({ code: 'model/not-encodable', pointer: '/items/0/arguments' }),
    );
  });

  test('a call that was not finished is left out', () => {
    const { value, losses } = anthropic.encodeResponse({
      ...base,
      items: [call],
      finish: 'length',
      incomplete: ['c'],
    });
    expect(value).toMatchObject({ content: [], stop_reason: 'max_tokens' });
    expect(losses).toContainEqual(
      expect.objectContaining({ code: 'dropped', path: '/items/0', severity: 'warning' }),
    );
  });

  test('a thought of another provider is shown with a mark for a signature', () => {
    const thought = {
      kind: 'reasoning',
      text: 'x',
      opaque: { protocol: 'gemini', form: 'signature', value: 'secret' },
    } as const;
    const { value } = anthropic.encodeResponse({ ...base, items: [thought], finish: 'stop' });
    expect(value['content']).toEqual([{ type: 'thinking', thinking: 'x', signature: UNSIGNED_THOUGHT }]);
    expect(anthropic.decodeResponse({ ...value }).value.items).toEqual([{ kind: 'reasoning', text: 'x' }]);
  });

  test('a failure is an error body with a sentence of ours', () => {
    const { value } = anthropic.encodeResponse({
      ...base,
      items: [],
      finish: 'error',
      finishDetail: 'secret',
    });
    expect(value).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    expect(JSON.stringify(value)).not.toContain('secret');
  });
});
