import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';

const FORMAT = { name: 'answer', schema: { type: 'object', properties: {}, additionalProperties: false } };

/** A request of one protocol of OpenAI as the other one has it, and the places of what was lost. */
function translated(from: typeof openaiChat, to: typeof openaiChat, members: JsonObject) {
  const asked = { model: 'gpt-5.1', ...members };
  const { value, losses } = to.encodeRequest(from.decodeRequest(asked).value);
  const weighty = losses.filter(({ severity }) => severity !== 'info');
  return { body: value.body, lost: weighty.map(({ path }) => path) };
}

describe('the wish for long or short answers', () => {
  test('of Chat Completions is that of Responses, beside a form of the answer too', () => {
    const messages = [{ role: 'user', content: 'hi' }];
    const plain = translated(openaiChat, openaiResponses, { messages, verbosity: 'low' });
    expect([plain.body['text'], plain.body['verbosity'], plain.lost]).toEqual([
      { verbosity: 'low' },
      undefined,
      [],
    ]);
    const response_format = { type: 'json_schema', json_schema: FORMAT };
    const formed = translated(openaiChat, openaiResponses, { messages, verbosity: 'high', response_format });
    expect(formed.body['text']).toEqual({ verbosity: 'high', format: { type: 'json_schema', ...FORMAT } });
  });

  test('of Responses is that of Chat Completions, and nothing else of its member goes along', () => {
    const text = { verbosity: 'low', format: { type: 'json_schema', ...FORMAT }, new_member: 1 };
    const { body, lost } = translated(openaiResponses, openaiChat, { input: 'hi', text });
    expect([body['verbosity'], body['text'], lost]).toEqual(['low', undefined, ['/extensions/members/text']]);
    expect(body['response_format']).toEqual({ type: 'json_schema', json_schema: FORMAT });
  });

  test('is left out where nobody has it', () => {
    const { body } = translated(openaiResponses, openaiChat, { input: 'hi', text: { verbosity: null } });
    expect(body).not.toHaveProperty('verbosity');
    const messages = [{ role: 'user', content: 'hi' }];
    const other = translated(openaiChat, openaiResponses, { messages, verbosity: null });
    expect(other.body).not.toHaveProperty('text');
  });
});
