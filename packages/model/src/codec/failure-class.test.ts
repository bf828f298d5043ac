import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../event/model-event.ts';
import { codecOf } from './codecs.ts';
import { failureClass } from './failure-class.ts';

const START: ModelEvent = { kind: 'response-start', id: 'r', model: 'm' };

/** The error that a client of a protocol reads out of a stream that failed. */
function errorIn(protocol: Parameters<typeof codecOf>[0], providerCode: string) {
  const encoder = codecOf(protocol).encodeStream();
  encoder.push(START);
  const failed: ModelEvent = {
    kind: 'response-error',
    code: 'model/provider-error',
    message: '',
    providerCode,
  };
  const data = [...encoder.push(failed).matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? '';
  const body = JSON.parse(data) as { error?: object; response?: { error: object } };
  return body.response?.error ?? body.error;
}

test.each(['openai-chat', 'openai-responses', 'anthropic'] as const)(
  'an answer that ended with a failure of its model is one for a client of %s, and no clean end',
  (protocol) => {
    const encoder = codecOf(protocol).encodeStream();
    const text = [
      START,
      { kind: 'text-start', index: 0 },
      { kind: 'text-delta', index: 0, text: 'a' },
      { kind: 'text-end', index: 0 },
      { kind: 'response-end', finish: 'error', finishDetail: 'MALFORMED_FUNCTION_CALL' },
    ] satisfies readonly ModelEvent[];
    const wire = text.map((event) => encoder.push(event)).join('');
    expect(wire).toContain('The model failed to answer.');
    expect(wire).not.toMatch(/\[DONE\]|message_stop|response\.completed|"finish_reason":"/);
  },
);

describe('the failure of a provider in a stream', () => {
  test.each([
    ['openai-chat', { code: 'context_length_exceeded' }],
    ['openai-responses', { code: 'context_length_exceeded' }],
    ['anthropic', { type: 'invalid_request_error', message: expect.stringContaining('prompt is too long') }],
    ['gemini', { code: 400, status: 'INVALID_ARGUMENT' }],
  ] as const)('that the context is too long reaches a client of %s as that', (protocol, error) => {
    expect(errorIn(protocol, 'context_length_exceeded')).toMatchObject(error);
  });

  test.each([
    ['openai-chat', { code: 'server_is_overloaded' }],
    ['openai-responses', { code: 'server_is_overloaded' }],
    ['anthropic', { type: 'overloaded_error' }],
    ['gemini', { code: 503, status: 'UNAVAILABLE' }],
  ] as const)('that it is overloaded reaches a client of %s as that', (protocol, error) => {
    for (const word of ['overloaded_error', 'UNAVAILABLE', 'server_is_overloaded', '529']) {
      expect(errorIn(protocol, word)).toMatchObject(error);
    }
  });

  test.each([
    ['openai-chat', { code: 'rate_limit_exceeded' }],
    ['openai-responses', { code: 'rate_limit_exceeded' }],
    ['anthropic', { type: 'rate_limit_error' }],
    ['gemini', { code: 429, status: 'RESOURCE_EXHAUSTED' }],
  ] as const)('that it limits the rate reaches a client of %s as that', (protocol, error) => {
    expect(errorIn(protocol, 'rate_limit_exceeded')).toMatchObject(error);
  });

  test.each([
    ['openai-chat', { code: null }],
    ['openai-responses', { code: 'server_error' }],
    ['anthropic', { type: 'api_error' }],
    ['gemini', { code: 500, status: 'INTERNAL' }],
  ] as const)('in any other word says nothing of it to a client of %s', (protocol, error) => {
    for (const word of ['insufficient_quota', 'authentication_error', 'sk-0123456789abcdef']) {
      expect(errorIn(protocol, word)).toMatchObject(error);
      expect(JSON.stringify(errorIn(protocol, word))).not.toContain(word);
    }
  });
});

test.each(['insufficient_quota', 'toString', '__proto__', '', '200', undefined])(
  '%j has no class',
  (word) => {
    expect(failureClass(word)).toBeUndefined();
  },
);
