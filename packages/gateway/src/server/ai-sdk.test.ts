import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { Protocol } from '@toolgate/model';
import { generateText, jsonSchema, type LanguageModel, streamText, type ToolSet, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { answerOf, withRawProvider } from '../../test-support/ask-raw.ts';
import { CLIENT_KEY, PAIRS } from '../../test-support/gateway-fixture.ts';
import { turnEvents } from '../../test-support/wire-samples.ts';

const MODEL: Readonly<Record<Protocol, (url: string) => LanguageModel>> = {
  'openai-chat': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: CLIENT_KEY }).chat('m'),
  'openai-responses': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: CLIENT_KEY }).responses('m'),
  anthropic: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: CLIENT_KEY })('m'),
  gemini: (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: CLIENT_KEY })('m'),
};

const tools: ToolSet = {
  find: tool({
    description: 'Finds a file.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
  }),
};
const SETTINGS = { maxRetries: 0, maxOutputTokens: 100 };
const CALLS = [
  { id: 'c1', arguments: '{"path":"a"}' },
  { id: 'c2', arguments: '{"path":"b"}' },
];

describe.each(PAIRS)('the AI SDK over %s before a provider of %s', (surface, backend) => {
  test('gets a stream with text and parallel calls', async () => {
    await withRawProvider(backend, [answerOf(backend, true, turnEvents(CALLS))], {}, async ({ url }) => {
      const result = streamText({ model: MODEL[surface](url), prompt: 'go', tools, ...SETTINGS });
      expect(await result.text).toBe('Looking ü');
      expect((await result.toolCalls).map(({ input }) => input)).toEqual([{ path: 'a' }, { path: 'b' }]);
      expect(await result.finishReason).toBe('tool-calls');
    });
  });

  test('gets a whole answer, and a withheld call as text', async () => {
    const events = turnEvents([{ id: 'c1', arguments: '{"path":7}' }]);
    await withRawProvider(backend, [answerOf(backend, false, events)], {}, async ({ url }) => {
      const result = await generateText({ model: MODEL[surface](url), prompt: 'go', tools, ...SETTINGS });
      expect(result.toolCalls).toEqual([]);
      expect(result.text).toContain('(arguments_rejected)');
      expect(result.finishReason).toBe('stop');
    });
  });
});
