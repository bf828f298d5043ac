import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { createPartReader } from './read-parts.ts';

type Part = LanguageModelV4StreamPart;

const FINISH: Part = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'end' },
  usage: {
    inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: undefined },
    outputTokens: { total: 3, text: 2, reasoning: 1 },
  },
};

const finish = (
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other',
  raw?: string,
): Part => {
  return { ...FINISH, finishReason: { unified, raw } };
};

const call = (toolCallId: string, input: string): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'find',
  input,
});

function read(...parts: readonly Part[]): readonly ModelEvent[] {
  const reader = createPartReader();
  const events = [...parts.flatMap((part) => [...reader.push(part)]), ...reader.end()];
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  return events;
}

describe('an answer of the AI SDK', () => {
  test('becomes the answer that it is', () => {
    const events = read(
      { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'seed', details: 'no\nseeds' }] },
      { type: 'response-metadata', id: 'r', modelId: 'm', timestamp: new Date(1_700_000_000_500) },
      { type: 'reasoning-start', id: 'a' },
      { type: 'reasoning-delta', id: 'a', delta: 'hm' },
      { type: 'reasoning-delta', id: 'a', delta: '', providerMetadata: { anthropic: { signature: 'c2ln' } } },
      { type: 'reasoning-end', id: 'a' },
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: 'ja' },
      { type: 'text-end', id: 'a' },
      { type: 'tool-input-start', id: 'c', toolName: 'find' },
      { type: 'tool-input-delta', id: 'c', delta: '{"a"' },
      { type: 'tool-input-delta', id: 'c', delta: ':1}' },
      { type: 'tool-input-end', id: 'c' },
      call('c', '{"a":1}'),
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([0, 1, 255]) } },
      { type: 'ping' },
      { type: 'raw', rawValue: 1 },
      FINISH,
    );
    expect(events[0]).toEqual({ kind: 'warning', code: 'ai-sdk/unsupported', detail: 'seed: no seeds' });
    expect(collectResponse(events)).toMatchObject({
      id: 'r',
      model: 'm',
      createdAt: 1_700_000_000,
      finish: 'tool-calls',
      finishDetail: 'end',
      items: [
        {
          kind: 'reasoning',
          text: 'hm',
          opaque: { protocol: 'anthropic', form: 'signature', value: 'c2ln' },
        },
        { kind: 'message', parts: [{ kind: 'text', text: 'ja' }] },
        { kind: 'tool-call', callId: 'c', name: 'find', arguments: '{"a":1}' },
        {
          kind: 'message',
          parts: [{ kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAH/' } }],
        },
      ],
      usage: { inputTotal: 9, cacheRead: 4, cacheWrite: null, outputTotal: 3, reasoning: 1 },
    });
  });

  test.each([
    [
      { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'enc' } },
      'openai-responses',
      'encrypted',
      'rs_1',
    ],
    [{ anthropic: { redactedData: 'enc' } }, 'anthropic', 'redacted', undefined],
    [{ google: { thoughtSignature: 'enc' } }, 'gemini', 'signature', undefined],
    [{ other: {}, vertex: { thoughtSignature: 'enc' } }, 'gemini', 'signature', undefined],
  ])('keeps the mark of a thought: %j', (providerMetadata, protocol, form, id) => {
    const { items } = collectResponse(
      read(
        { type: 'reasoning-start', id: 'a', providerMetadata },
        { type: 'reasoning-end', id: 'a' },
        FINISH,
      ),
    );
    expect(items).toMatchObject([
      { kind: 'reasoning', opaque: { protocol, form, value: 'enc' }, ...(id && { id }) },
    ]);
  });

  test('streams the arguments of a call as they come, and only once', () => {
    const deltas = (...parts: readonly Part[]): readonly string[] =>
      read(...parts, FINISH).flatMap((event) => (event.kind === 'call-delta' ? [event.delta] : []));
    const begin: Part = { type: 'tool-input-start', id: 'c', toolName: 'find' };
    const delta: Part = { type: 'tool-input-delta', id: 'c', delta: '{}' };
    expect(deltas(begin, delta, call('c', '{}'))).toEqual(['{}']);
    expect(deltas(begin, call('c', '{}'))).toEqual(['{}']);
    expect(deltas(call('c', '{}'))).toEqual(['{}']);
    expect(
      deltas({ ...begin, inputEncoding: 'text' }, { ...delta, delta: 'a "b"' }, call('c', '"a \\"b\\""')),
    ).toEqual(['"a \\"b\\""']);
  });

  test('leaves a call open that has no end of its own, however whole it looks', () => {
    const response = collectResponse(
      read(
        { type: 'tool-input-start', id: 'c', toolName: 'pay' },
        { type: 'tool-input-delta', id: 'c', delta: '{"eur":1}' },
        { type: 'tool-input-end', id: 'c' },
        finish('tool-calls'),
      ),
    );
    expect(response.incomplete).toEqual(['c']);
    expect(response.finish).toBe('stop');
  });

  test('keeps what the provider ran itself as foreign, and never as a call', () => {
    const response = collectResponse(
      read(
        { type: 'tool-input-start', id: 's', toolName: 'web_search', providerExecuted: true },
        { type: 'tool-input-delta', id: 's', delta: '{"q":"a"}' },
        { type: 'tool-input-end', id: 's' },
        {
          type: 'tool-call',
          toolCallId: 's',
          toolName: 'web_search',
          input: '{"q":"a"}',
          providerExecuted: true,
        },
        { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: ['x'], preliminary: true },
        { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: ['x', 'y'] },
        { type: 'custom', kind: 'anthropic.message_start', providerMetadata: { anthropic: { id: 'i' } } },
        { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { itemId: 'i' } } },
        FINISH,
      ),
    );
    expect(response.finish).toBe('stop');
    expect(response.items).toEqual([
      {
        kind: 'foreign',
        protocol: 'ai-sdk',
        role: 'assistant',
        value: {
          type: 'tool-call',
          toolCallId: 's',
          toolName: 'web_search',
          input: { q: 'a' },
          providerExecuted: true,
        },
      },
      {
        kind: 'foreign',
        protocol: 'ai-sdk',
        role: 'assistant',
        value: {
          type: 'tool-result',
          toolCallId: 's',
          toolName: 'web_search',
          output: { type: 'json', value: ['x', 'y'] },
        },
      },
      {
        kind: 'foreign',
        protocol: 'ai-sdk',
        role: 'assistant',
        value: { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { itemId: 'i' } } },
      },
    ]);
  });

  test('says once what it has no form for', () => {
    const source: Part = { type: 'source', sourceType: 'url', id: '1', url: 'https://example.org' };
    const events = read(source, source, FINISH);
    expect(events.filter(({ kind }) => kind === 'warning')).toEqual([
      { kind: 'warning', code: 'loss/dropped', detail: 'parts of the type source have no neutral form' },
    ]);
  });
});

describe('the finish of an answer', () => {
  test.each([
    [finish('stop'), 'stop'],
    [finish('tool-calls'), 'stop'],
    [finish('length'), 'length'],
    [finish('content-filter'), 'content-filter'],
    [finish('other'), 'unknown'],
    [finish('other', 'pause_turn'), 'paused'],
    [finish('error'), 'error'],
    [finish('interrupted'), 'error'],
  ])('without calls is told by its word: %j', (part, expected) => {
    expect(collectResponse(read(part)).finish).toBe(expected);
  });

  test.each([
    [finish('stop'), 'tool-calls'],
    [finish('tool-calls'), 'tool-calls'],
    [finish('length'), 'length'],
    [finish('content-filter'), 'content-filter'],
  ])('with calls is told by them, unless it was cut: %j', (part, expected) => {
    expect(collectResponse(read(call('c', '{}'), part)).finish).toBe(expected);
  });
});

describe('an answer that breaks the rules fails by name', () => {
  const begin: Part = { type: 'tool-input-start', id: 'c', toolName: 'find' };
  test.each<readonly [string, readonly Part[]]>([
    ['no finish', [call('c', '{}')]],
    [
      'arguments after the end of their call',
      [begin, call('c', '{}'), { type: 'tool-input-delta', id: 'c', delta: ',' }],
    ],
    [
      'two texts of one call',
      [begin, { type: 'tool-input-delta', id: 'c', delta: '{"a":1}' }, call('c', '{"a":2}')],
    ],
    ['two calls with one id', [call('c', '{}'), call('c', '{}')]],
    ['a call started twice', [begin, begin]],
    [
      'a block started twice',
      [
        { type: 'text-start', id: 'a' },
        { type: 'text-start', id: 'a' },
      ],
    ],
    ['a piece of no block', [{ type: 'text-delta', id: 'a', delta: 'x' }]],
    ['an end of no block', [{ type: 'reasoning-end', id: 'a' }]],
    [
      'a result that is no JSON',
      [{ type: 'tool-result', toolCallId: 'c', toolName: 'x', result: Number.NaN }],
    ],
    ['an error', [{ type: 'error', error: { message: 'sk-abcdefghijklmnop', name: 'Error' } }]],
    ['an error that is nothing', [{ type: 'error', error: undefined }]],
    ['something that is no part', [{ type: 'stream-start' } as unknown as Part]],
  ])('%s', (_, parts) => {
    const events = read(...parts, ...(parts.length === 1 && parts[0]?.type === 'tool-call' ? [] : [FINISH]));
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: expect.stringMatching(/^model\//) });
    expect(JSON.stringify(events)).not.toContain('sk-abcdef');
    const { items, incomplete = [] } = collectResponse(events);
    expect(incomplete).toHaveLength(items.filter(({ kind }) => kind === 'tool-call').length);
  });
});
