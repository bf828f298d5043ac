import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

/** The choice of tools as a client of a protocol of OpenAI is understood. */
function choiceOf(protocol: Protocol, tool_choice: JsonValue) {
  const said = { messages: [{ role: 'user', content: 'hi' }], input: 'hi' };
  return codecOf(protocol).decodeRequest({ model: 'm', ...said, tool_choice }).value.toolChoice;
}

describe.each(['openai-chat', 'openai-responses'] as const)(
  'a choice of tools in a request of %s',
  (protocol) => {
    test.each<[JsonValue, unknown]>([
      [{ type: 'auto' }, { mode: 'auto' }],
      [{ type: 'none' }, { mode: 'none' }],
      [{ type: 'required' }, { mode: 'any' }],
      [{ type: 'any' }, { mode: 'any' }],
      [
        { type: 'tool', name: 'find' },
        { mode: 'named', name: 'find' },
      ],
      [
        { type: 'function', name: 'find' },
        { mode: 'named', name: 'find' },
      ],
      [
        { type: 'function', function: { name: 'find' } },
        { mode: 'named', name: 'find' },
      ],
    ])('is understood in the form of another protocol: %j', (choice, expected) => {
      expect(choiceOf(protocol, choice)).toEqual(expected);
    });

    test.each<JsonValue>([
      { type: 'auto', disable_parallel_tool_use: true },
      { type: 'tool', name: 'find', disable_parallel_tool_use: true },
      { type: 'tool' },
      { type: 'custom', name: 'find' },
      { type: 'tool', name: 7 },
      {},
    ])('is not made wider or less than it is: %j', (choice) => {
      expect(choiceOf(protocol, choice)).toMatchObject({ mode: 'foreign' });
    });
  },
);

test('the word of Mistral for a call in any case is understood', () => {
  expect(choiceOf('openai-chat', 'any')).toEqual({ mode: 'any' });
});

test.each([{}, { mode: 'MODE_UNSPECIFIED' }])(
  'a choice of Gemini that says nothing is none: %j',
  (calling) => {
    const body = { contents: [{ parts: [{ text: 'hi' }] }], toolConfig: { functionCallingConfig: calling } };
    const call = codecOf('gemini').decodeRequest(body, { model: 'm' }).value;
    expect(call.toolChoice).toBeUndefined();
    expect(codecOf('gemini').encodeRequest(call).value.body).toMatchObject(body);
  },
);
