import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../test-support/ask-raw.ts';
import { post } from '../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../test-support/wire-samples.ts';

/** What a client is told when its provider gives this answer. */
async function told(surface: Protocol, backend: Protocol, stream: boolean, answer: RawAnswer) {
  return withRawProvider(backend, [answer], {}, async ({ traffic, url }) => {
    const { body, status } = await post(`${url}${surfacePath(surface, stream)}`, oddRequest(surface, stream));
    const { error } = JSON.parse(body) as { error: { code: string; message: string } };
    return { status, ...error, logged: traffic[0]?.error };
  });
}

describe('an answer that says under a status of success that there is none', () => {
  test.each([
    ['rate_limit_exceeded', 429, 'upstream_limited'],
    ['overloaded_error', 503, 'upstream_overloaded'],
    ['context_length_exceeded', 400, 'context_length_exceeded'],
    ['insufficient_quota', 502, 'upstream_failed'],
  ])('with the word %s is told with the status %i and %s', async (word, status, code) => {
    const error = { message: 'secret words', code: word };
    const answers = [
      [true, sendEvents([`data: ${JSON.stringify({ error })}\n\n`])],
      [false, sendJson(JSON.stringify({ error }))],
    ] as const;
    for (const [stream, answer] of answers) {
      const { message, ...rest } = await told('openai-chat', 'openai-chat', stream, answer);
      expect(rest).toMatchObject({ status, code, logged: code });
      expect(message).not.toContain('secret');
    }
  });

  test('is the same where the provider wraps it into a whole answer', async () => {
    const failed = {
      id: 'r',
      object: 'response',
      status: 'failed',
      output: [],
      error: { code: 'rate_limit_exceeded', message: 'x' },
    };
    expect(
      await told('anthropic', 'openai-responses', false, sendJson(JSON.stringify(failed))),
    ).toMatchObject({ status: 429, type: 'rate_limit_error' });
  });
});

describe('that the account of the gateway is at fault', () => {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };

  test.each<[Protocol, number, object]>([
    [
      'anthropic',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the Anthropic API.',
        },
      },
    ],
    ['gemini', 400, { error: { code: 400, message: 'Bad.', status: 'INVALID_ARGUMENT', details: [info] } }],
    ['gemini', 400, { error: { code: 400, message: 'API key expired. Please renew the API key.' } }],
    ['openai-chat', 400, { code: 'x', error: 'Incorrect API key provided: xa***Dd.' }],
    ['openai-chat', 400, { error: { code: 'Arrearage', message: 'Access denied.' } }],
    ['openai-chat', 422, { error: { message: 'Insufficient Balance' } }],
  ])('is not told as one of the request by %s with the status %i: %j', async (backend, status, body) => {
    const refused = sendJson(JSON.stringify(body), status);
    for (const surface of ['openai-chat', 'anthropic'] as const) {
      const failure = await told(surface, backend, false, refused);
      expect(failure).toMatchObject({
        status: 502,
        message: 'The provider did not accept the gateway.',
        logged: 'upstream_misconfigured',
      });
    }
  });

  test.each([
    'Invalid value for the parameter api_key_name.',
    'The function balance is insufficient.',
    'An API key has to be a string in the schema of the tool.',
  ])('is not read out of %j', async (message) => {
    const refused = sendJson(JSON.stringify({ error: { message, details: 'none' } }), 400);
    const failure = await told('openai-chat', 'openai-chat', false, refused);
    expect(failure).toMatchObject({ status: 400, logged: 'upstream_refused' });
  });
});

describe('that the conversation is too long is told in the client’s own words', () => {
  test.each<[Protocol, object]>([
    ['openai-chat', { message: 'Too long.', code: 'context_length_exceeded' }],
    ['openai-chat', { message: "This model's maximum context length is 8192 tokens." }],
    ['openai-chat', { message: 'the request exceeds the available context size, try increasing it' }],
    ['openai-chat', { message: 'Too long.', code: 'model_context_window_exceeded' }],
    [
      'openai-chat',
      { message: "This model's maximum prompt length is 131072 but the request contains 136973 tokens." },
    ],
    ['openai-chat', { message: 'Please reduce the length of the messages or completion.' }],
    ['openai-chat', { message: 'prompt token count of 5000 exceeds the limit of 4096' }],
    [
      'openai-chat',
      { message: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)' },
    ],
    ['openai-chat', { message: 'invalid params, context window exceeds limit (2013)' }],
    [
      'openai-chat',
      { message: "The input (9 tokens) is longer than the model's context length (8 tokens)." },
    ],
    ['openai-chat', { message: 'Range of input length should be [1, 30000]' }],
    ['openai-chat', { message: 'Prompt 超长' }],
    ['anthropic', { type: 'invalid_request_error', message: 'Input is too long for requested model.' }],
    ['openai-responses', { message: 'Your input exceeds the context window of this model.' }],
    ['anthropic', { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' }],
    [
      'gemini',
      { code: 400, message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).' },
    ],
  ])('by %s: %j', async (backend, error) => {
    const refused = sendJson(JSON.stringify({ error }), 400);
    expect(await told('openai-chat', backend, false, refused)).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
    expect(await told('anthropic', backend, true, refused)).toMatchObject({
      status: 400,
      message: expect.stringContaining('prompt is too long'),
    });
  });

  test.each([
    [400, 'Invalid value: context is not a list.'],
    [400, 'maximum length of a name is 64'],
    [400, 'The value exceeds the limit of 4.'],
    [500, "This model's maximum context length is 8192 tokens."],
  ])('and nothing else is (%i, %s)', async (status, message) => {
    const { code } = await told(
      'openai-chat',
      'openai-chat',
      false,
      sendJson(JSON.stringify({ error: { message } }), status),
    );
    expect(code).not.toBe('context_length_exceeded');
  });
});
