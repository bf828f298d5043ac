import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { ModelCall } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

function thinkingOf(protocol: Protocol, call: ModelCall): JsonObject {
  const { body } = codecOf(protocol).encodeRequest(call).value;
  const { generationConfig, output_config, reasoning, reasoning_effort, thinking } = body;
  const members = { generationConfig, output_config, reasoning, reasoning_effort, thinking };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

function fromGemini(thinkingConfig: JsonObject, model: string): ModelCall {
  const body = {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    generationConfig: { thinkingConfig },
  };
  return codecOf('gemini').decodeRequest(body, { model }).value;
}

describe('a client of Gemini that wants no thinking', () => {
  test.each<[string, Protocol, JsonObject]>([
    ['claude-sonnet-4-5', 'anthropic', { thinking: { type: 'disabled' } }],
    ['claude-opus-4-8', 'anthropic', { thinking: { type: 'disabled' } }],
    ['gpt-5.1', 'openai-chat', { reasoning_effort: 'none' }],
    ['gpt-5', 'openai-chat', { reasoning_effort: 'minimal' }],
    ['gpt-5.1', 'openai-responses', { reasoning: { effort: 'none' } }],
    ['gemini-2.5-flash', 'gemini', { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  ])('gets none of %s, or the least there is', (model, protocol, expected) => {
    expect(thinkingOf(protocol, fromGemini({ thinkingBudget: 0 }, model))).toEqual(expected);
  });

  test('says so also where it adds that thoughts are not shown', () => {
    const call = fromGemini({ thinkingBudget: 0, includeThoughts: false }, 'claude-sonnet-4-5');
    expect(thinkingOf('anthropic', call)).toEqual({ thinking: { type: 'disabled' } });
    expect(thinkingOf('openai-responses', { ...call, model: 'gpt-5.1' })).toEqual({
      reasoning: { effort: 'none' },
    });
  });
});

describe('a client of Anthropic that wants no thinking, whatever the effort', () => {
  const body: JsonObject = {
    model: 'gpt-5.1',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'hi' }],
    thinking: { type: 'disabled' },
    output_config: { effort: 'high' },
  };
  const call = codecOf('anthropic').decodeRequest(body).value;

  test.each<[Protocol, JsonObject]>([
    ['openai-chat', { reasoning_effort: 'none' }],
    ['openai-responses', { reasoning: { effort: 'none' } }],
  ])('gets none of %s', (protocol, expected) => {
    expect(thinkingOf(protocol, call)).toEqual(expected);
  });

  test('says both to Anthropic', () => {
    const { output_config, thinking } = body;
    expect(thinkingOf('anthropic', call)).toEqual({ output_config, thinking });
  });
});

test.each(['anthropic', 'openai-chat', 'openai-responses'] as const)(
  'a budget of nothing in a neutral call asks %s for no thinking',
  (protocol) => {
    const items: ModelCall['items'] = [
      { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    ];
    const asked = thinkingOf(protocol, { model: 'm', items, reasoning: { budgetTokens: 0 } });
    expect(JSON.stringify(asked)).toMatch(/"disabled"|"none"/);
  },
);

test.each([
  ['summarized', { summary: 'auto' }],
  ['omitted', {}],
  ['concise', { summary: 'concise' }],
] as const)('how thoughts are shown is said in words of OpenAI: %s', (summary, expected) => {
  const items: ModelCall['items'] = [
    { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
  ];
  expect(thinkingOf('openai-responses', { model: 'm', items, reasoning: { summary } })).toEqual({
    reasoning: expected,
  });
});
