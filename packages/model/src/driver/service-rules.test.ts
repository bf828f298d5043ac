import { describe, expect, test } from 'vitest';
import type { ModelCall } from '../call/model-call.ts';
import { codecOf } from '../codec/codecs.ts';
import { NAME_RULES } from '../naming/name-map.ts';
import { createCallPreparer } from './prepare-call.ts';
import { serviceRules } from './service-rules.ts';

const CALL: ModelCall = {
  model: 'm',
  items: [
    { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    { kind: 'tool-call', callId: 'toolu_01A', name: 'f', arguments: '{}' },
    { kind: 'tool-result', callId: 'toolu_01A', parts: [{ kind: 'text', text: 'done' }] },
    { kind: 'tool-call', callId: 'aB3dE6gH9', name: 'f', arguments: '{}' },
    { kind: 'tool-result', callId: 'aB3dE6gH9', parts: [{ kind: 'text', text: 'done' }] },
  ],
  limits: { maxOutputTokens: 9 },
  sampling: { seed: 1, temperature: 0 },
  endUser: 'u',
};

function sentTo(address: string, call: ModelCall = CALL) {
  const prepare = createCallPreparer({
    history: { protocol: 'openai-chat' },
    schemas: 'openai',
    names: NAME_RULES['openai-chat'],
    baseUrl: new URL(address),
  });
  const prepared = prepare(call);
  const { body } = codecOf('openai-chat').encodeRequest(prepared.call).value;
  return { body, losses: prepared.losses };
}

const NEWER = { max_completion_tokens: 9, seed: 1, user: 'u' };

describe('the limit of an answer', () => {
  test.each([
    'https://api.deepseek.com/v1',
    'https://llm.chutes.ai/v1',
    'https://api.together.xyz/v1',
    'https://api.z.ai/api/paas/v4',
    'https://integrate.api.nvidia.com/v1',
    'http://localhost:11434/v1',
  ])('has the name that is known at %s', (address) => {
    const { body, losses } = sentTo(address);
    expect(body).toMatchObject({ max_tokens: 9, seed: 1, temperature: 0, user: 'u' });
    expect(body).not.toHaveProperty('max_completion_tokens');
    expect(losses).toEqual([]);
  });

  test.each([
    'https://api.openai.com/v1',
    'https://x.openai.azure.com/openai/v1',
    'https://openrouter.ai/api/v1',
    'https://mistral.ai.example/v1',
    'https://notmistral.ai/v1',
    'https://example.org/mistral.ai',
  ])('has its newer name at %s', (address) => {
    const { body, losses } = sentTo(address);
    expect(body).toMatchObject(NEWER);
    expect(body).not.toHaveProperty('max_tokens');
    expect(losses).toEqual([]);
  });

  test('is not made up', () => {
    const { limits: _, ...unlimited } = CALL;
    expect(sentTo('https://api.mistral.ai/v1', unlimited).body).not.toHaveProperty('max_tokens');
    expect(sentTo('https://api.mistral.ai/v1', { ...CALL, limits: {} }).body).not.toHaveProperty(
      'max_tokens',
    );
  });
});

test('Mistral gets no member that it refuses, and ids of nine letters and digits', () => {
  const { body, losses } = sentTo('https://api.mistral.ai/v1');
  expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model', 'temperature']);
  const ids = (JSON.stringify(body).match(/"(?:tool_call_)?id":"[^"]*"/g) ?? []).map((text) =>
    text.replace(/^.*:/, ''),
  );
  expect(ids).toHaveLength(4);
  expect(ids[0]).toMatch(/^"[A-Za-z0-9]{9}"$/);
  expect(ids).toEqual([ids[0], ids[0], '"aB3dE6gH9"', '"aB3dE6gH9"']);
  expect(losses.filter(({ code }) => code === 'dropped')).toMatchObject([
    { path: '/endUser', severity: 'info' },
    { path: '/sampling/seed', severity: 'warning' },
  ]);
  const { sampling: _, endUser: __, ...plain } = CALL;
  expect(sentTo('https://api.mistral.ai/v1', plain).losses.filter(({ code }) => code === 'dropped')).toEqual(
    [],
  );
});

test('rules of a profile win over those of the address', () => {
  const ids = { minLength: 1, maxLength: 20, first: 'a-z', rest: 'a-zA-Z0-9_' };
  const prepared = createCallPreparer({
    history: { protocol: 'openai-chat', ids },
    schemas: 'openai',
    names: NAME_RULES['openai-chat'],
    baseUrl: new URL('https://api.mistral.ai/v1'),
  })(CALL);
  expect(prepared.call.items[1]).toMatchObject({ callId: 'toolu_01A' });
});

test('only services of OpenAI Chat are known', () => {
  expect(serviceRules('anthropic', new URL('https://api.deepseek.com/anthropic'))).toBeUndefined();
  expect(serviceRules('openai-responses', new URL('http://localhost:11434/v1'))).toBeUndefined();
});
