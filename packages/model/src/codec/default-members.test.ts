import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

/** How much the members weigh that a client of one protocol loses at a provider of another. */
function weights(from: Protocol, to: Protocol, members: JsonObject): readonly string[] {
  const spoken = from === 'openai-chat' ? { messages: [{ role: 'user', content: 'hi' }] } : { input: 'hi' };
  const limit = from === 'openai-chat' ? { max_completion_tokens: 5 } : { max_output_tokens: 5 };
  const call = codecOf(from).decodeRequest({ model: 'm', ...spoken, ...limit, ...members }).value;
  const { losses } = codecOf(to).encodeRequest(call);
  return losses.map(({ severity }) => severity).filter((severity) => severity !== 'info');
}

describe('a member that asks for nothing', () => {
  test.each<[Protocol, JsonObject]>([
    [
      'openai-chat',
      { logprobs: false, top_logprobs: null, store: false, modalities: ['text'], logit_bias: {} },
    ],
    ['openai-chat', { service_tier: 'auto', prediction: null, metadata: {} }],
    ['openai-responses', { background: false, store: false, truncation: 'disabled', include: [] }],
    ['openai-responses', { conversation: null, prompt: null, top_logprobs: 0, service_tier: 'default' }],
    ['openai-chat', { prompt_cache_key: 'k', prompt_cache_retention: '24h' }],
    [
      'openai-responses',
      {
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 'k',
        client_metadata: { a: 'b' },
        text: { verbosity: 'medium' },
      },
    ],
  ])('of %s weighs nothing: %j', (from, members) => {
    for (const to of ['anthropic', 'gemini'] as const) expect(weights(from, to, members)).toEqual([]);
  });

  test.each<[Protocol, JsonObject, string]>([
    ['openai-chat', { logprobs: true }, 'warning'],
    ['openai-chat', { store: true }, 'warning'],
    ['openai-chat', { modalities: ['text', 'audio'] }, 'warning'],
    ['openai-chat', { service_tier: 'flex' }, 'warning'],
    ['openai-responses', { truncation: 'auto' }, 'warning'],
    ['openai-responses', { include: ['reasoning.encrypted_content', 'file_search_call.results'] }, 'warning'],
    ['openai-responses', { text: { verbosity: 'low' } }, 'warning'],
    ['openai-chat', { metadata: { store: false } }, 'warning'],
    ['openai-responses', { background: true }, 'error'],
    ['openai-responses', { conversation: 'c' }, 'error'],
  ])('is none that asks for something: %s, %j', (from, members, weight) => {
    for (const to of ['anthropic', 'gemini'] as const) expect(weights(from, to, members)).toEqual([weight]);
  });
});

test('a context that is kept at a provider is no member that a request can lose', () => {
  const contents = [{ role: 'user', parts: [{ text: 'as above' }] }];
  const call = codecOf('gemini').decodeRequest(
    { contents, cachedContent: 'cachedContents/1' },
    { model: 'm' },
  );
  for (const to of ['anthropic', 'openai-chat', 'openai-responses'] as const) {
    expect(codecOf(to).encodeRequest(call.value).losses).toContainEqual(
      expect.objectContaining({ path: '/extensions/members/cachedContent', severity: 'error' }),
    );
  }
});

test('what Gemini has in a form of its own, and where a cache may begin, weighs nothing elsewhere', () => {
  const schema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } };
  const gemini = codecOf('gemini').decodeRequest(
    {
      contents: [{ parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: [{ name: 'find', parameters: schema }] }],
      toolConfig: { functionCallingConfig: {} },
      generationConfig: { maxOutputTokens: 9, responseMimeType: 'application/json', responseSchema: schema },
    },
    { model: 'm' },
  ).value;
  const tool = { name: 'find', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } };
  const result = {
    type: 'tool_result',
    tool_use_id: 't',
    content: 'x',
    cache_control: { type: 'ephemeral' },
  };
  const anthropic = codecOf('anthropic').decodeRequest({
    model: 'm',
    max_tokens: 9,
    tools: [{ ...tool, defer_loading: false, allowed_callers: ['direct'], eager_input_streaming: true }],
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'find', input: {} }] },
      { role: 'user', content: [result] },
    ],
  }).value;
  const heavy = (losses: readonly { readonly severity: string }[]) =>
    losses.filter(({ severity }) => severity !== 'info');
  expect(heavy(codecOf('anthropic').encodeRequest(gemini).losses)).toEqual([]);
  expect(heavy(codecOf('openai-chat').encodeRequest(gemini).losses)).toEqual([]);
  expect(heavy(codecOf('openai-chat').encodeRequest(anthropic).losses)).toEqual([]);
  expect(heavy(codecOf('openai-responses').encodeRequest(anthropic).losses)).toEqual([]);
});
