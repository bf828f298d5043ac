import type { JsonValue } from '@toolgate/core';
import { expect, test } from 'vitest';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

const question = { role: 'user', content: 'hi' };

test.each<[string, Protocol, JsonValue, string]>([
  [
    'a result of Chat',
    'openai-chat',
    { messages: [question, { role: 'tool', tool_call_id: 'c', content: { ok: true } }] },
    '/messages/1/content',
  ],
  [
    'a result of Responses',
    'openai-responses',
    { input: [question, { type: 'function_call_output', call_id: 'c', output: { ok: true } }] },
    '/input/1/output',
  ],
  ['the input of Responses', 'openai-responses', { input: { ok: true } }, '/input'],
  [
    'a message of Anthropic',
    'anthropic',
    { messages: [{ role: 'user', content: 5 }] },
    '/messages/0/content',
  ],
])(
  'what is neither a text nor a list of parts is told that it may be both: %s',
  (_what, protocol, body, place) => {
    const whole = { model: 'm', ...(body as object) };
    expect(() => codecOf(protocol).decodeRequest(whole)).toThrow(
      expect.objectContaining({ pointer: place, message: `${place} must be a string or an array.` }),
    );
  },
);
