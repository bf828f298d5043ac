import type { ToolDefinition } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { providerFitness } from './provider-fitness.ts';

const PLAIN: ToolDefinition = {
  name: 'get_weather',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe('how a tool fits a provider', () => {
  test.each(['openai', 'anthropic', 'gemini'] as const)('%s takes the plainest tool as it is', (provider) => {
    expect(providerFitness(PLAIN, provider)).toMatchObject({
      provider,
      verdict: 'exact',
      reasons: [],
      name: { wire: 'get_weather', changed: false },
      schema: { fit: provider === 'openai' ? 'strict' : 'plain' },
    });
  });

  test('a name that the provider does not accept is a reason and gets an alias', () => {
    const fitness = providerFitness({ ...PLAIN, name: '9lives' }, 'gemini');
    expect(fitness.name.changed).toBe(true);
    expect(fitness.verdict).toBe('adapted');
    expect(fitness.reasons[0]).toContain('name:');
    expect(providerFitness({ ...PLAIN, name: '9lives' }, 'openai').verdict).toBe('exact');
  });

  test('each constraint that the model is not told is a reason with its place', () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer', enum: [60, 1440] } } };
    expect(providerFitness({ ...PLAIN, inputSchema }, 'gemini')).toMatchObject({
      verdict: 'adapted',
      reasons: [expect.stringContaining('/properties/n/enum: ')],
    });
    expect(providerFitness({ ...PLAIN, inputSchema }, 'anthropic').verdict).toBe('exact');
  });

  test('an open map is adapted for OpenAI because it is not strict', () => {
    const inputSchema = {
      type: 'object',
      properties: { labels: { type: 'object', additionalProperties: true } },
    };
    const { verdict, schema } = providerFitness({ ...PLAIN, inputSchema }, 'openai');
    expect([verdict, schema.fit]).toEqual(['adapted', 'plain']);
  });

  test('a schema that leads outside is unfit everywhere', () => {
    const inputSchema = { type: 'object', properties: { a: { $ref: 'https://example.com/x' } } };
    for (const provider of ['openai', 'anthropic', 'gemini'] as const) {
      expect(providerFitness({ ...PLAIN, inputSchema }, provider).verdict).toBe('unfit');
    }
  });
});
