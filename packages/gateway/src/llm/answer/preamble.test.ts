import type { JsonObject } from '@toolgate/core';
import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { readAnswer, textOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const event = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: JsonObject, finish: string | null): string =>
  event({ id: 'chat_1', created: 5, model: 'up', choices: [{ index: 0, delta, finish_reason: finish }] });
const PREAMBLE = event({
  id: '',
  object: '',
  created: 0,
  model: '',
  choices: [],
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false } } }],
});
const STREAM = [
  PREAMBLE,
  chunk({ role: 'assistant', content: 'hey' }, null),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
];

describe('a chunk about the prompt, which comes before the answer', () => {
  test.each(PROTOCOLS)('names no answer for a client of %s: the first chunk of it does', async (surface) => {
    await withRawProvider('openai-chat', [sendEvents(STREAM)], {}, async ({ url }) => {
      const { body } = await post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
      const answer = readAnswer(surface, true, body);
      expect([answer.id, answer.model, textOf(answer)]).toEqual(['chat_1', 'up', 'hey']);
      if (surface === 'openai-chat') expect(body).toBe(STREAM.join(''));
    });
  });

  test('is no answer by itself', async () => {
    await withRawProvider('openai-chat', [sendEvents([PREAMBLE])], {}, async ({ url }) => {
      const path = `${url}${surfacePath('anthropic', true)}`;
      const { body } = await post(path, oddRequest('anthropic', true));
      expect(readAnswer('anthropic', true, body).finish).toBe('error');
    });
  });
});
