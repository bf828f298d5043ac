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
  ])('of %s weighs nothing: %j', (from, members) => {
    for (const to of ['anthropic', 'gemini'] as const) expect(weights(from, to, members)).toEqual([]);
  });

  test.each<[Protocol, JsonObject, string]>([
    ['openai-chat', { logprobs: true }, 'warning'],
    ['openai-chat', { store: true }, 'warning'],
    ['openai-chat', { modalities: ['text', 'audio'] }, 'warning'],
    ['openai-chat', { service_tier: 'flex' }, 'warning'],
    ['openai-responses', { truncation: 'auto' }, 'warning'],
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
