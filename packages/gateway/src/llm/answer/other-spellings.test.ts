import type { JsonObject } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents, sendJson } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const HIDDEN = { name: 'delete_db', arguments: '{"path":"x"}' };
const LISTED = [{ index: 0, id: 'c9', type: 'function', function: HIDDEN }];
const ITEM = { type: 'function_call', id: 'i9', call_id: 'c9', ...HIDDEN };
const BLOCK = { type: 'tool_use', id: 'c9', name: 'delete_db', input: {} };
const PART = { name: 'delete_db', args: {} };
const FIND = { name: 'find', arguments: '{"path":"a"}' };

/** The whole answer of a provider, and the same as one event of a stream. */
type Said = readonly [name: string, whole: JsonObject];

const chat = (message: JsonObject, choice: JsonObject = {}, top: JsonObject = {}): JsonObject => ({
  id: 'r',
  model: 'up',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'x', ...message }, finish_reason: 'stop', ...choice },
  ],
  ...top,
});
const responses = (output: JsonObject[string], top: JsonObject = {}): JsonObject => ({
  id: 'r',
  model: 'up',
  status: 'completed',
  output,
  ...top,
});
const anthropic = (content: JsonObject[string], top: JsonObject = {}): JsonObject => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'up',
  content,
  stop_reason: 'end_turn',
  ...top,
});
const gemini = (parts: JsonObject[string], content: JsonObject = {}, top: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts, ...content }, finishReason: 'STOP' }],
  ...top,
});

const CHAT: readonly Said[] = [
  ['Tool_Calls', chat({ Tool_Calls: LISTED })],
  ['toolCalls', chat({ toolCalls: LISTED })],
  ['tool_callſ, with a long s', chat({ tool_callſ: LISTED })],
  ['FUNCTION_CALL', chat({ FUNCTION_CALL: HIDDEN })],
  ['Delta', chat({}, { Delta: { tool_calls: LISTED } })],
  ['Choices', chat({}, {}, { Choices: [{ message: { tool_calls: LISTED } }] })],
  [
    'Function',
    chat({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: FIND, Function: HIDDEN }] }),
  ],
  ['Name', chat({ tool_calls: [{ index: 0, id: 'c1', function: { ...FIND, Name: 'delete_db' } }] })],
  ['a list of messages', chat({}, { delta: [{ tool_calls: LISTED }] })],
  ['an object of choices', { id: 'r', choices: { 0: { index: 0, message: { tool_calls: LISTED } } } }],
];
const RESPONSES: readonly Said[] = [
  ['Output', responses([], { Output: [ITEM] })],
  ['Type', responses([{ ...ITEM, type: 'mcp_call', TYPE: 'function_call' }])],
  ['Name', responses([{ ...ITEM, name: 'find', arguments: '{"path":"a"}', Name: 'delete_db' }])],
  ['callID', responses([{ type: 'mcp_call', id: 'i', callID: 'c', server_label: 'delete_db' }])],
  ['an object of items', responses({ 0: ITEM, length: 1 })],
];
const ANTHROPIC: readonly Said[] = [
  ['Content', anthropic([], { Content: [BLOCK] })],
  ['Type', anthropic([{ ...BLOCK, type: 'text', text: 'x', Type: 'tool_use' }])],
  ['Name', anthropic([{ ...BLOCK, name: 'find', input: { path: 'a' }, Name: 'delete_db' }])],
  ['an object of blocks', anthropic({ 0: BLOCK, length: 1 })],
];
const GEMINI: readonly Said[] = [
  ['FunctionCall', gemini([{ text: 'x', FunctionCall: PART }])],
  ['function_Call', gemini([{ text: 'x', function_Call: PART }])],
  ['Parts', gemini([{ text: 'x' }], { Parts: [{ functionCall: PART }] })],
  [
    'Candidates',
    gemini([{ text: 'x' }], {}, { Candidates: [{ content: { parts: [{ functionCall: PART }] } }] }),
  ],
  ['NAME', gemini([{ functionCall: { name: 'find', args: { path: 'a' }, NAME: 'delete_db' } }])],
  ['a list in the place of a call', gemini([{ text: 'x', functionCall: [PART] }])],
];

const event = (value: JsonObject & { readonly type: string }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const chunk = (value: JsonObject): string => `data: ${JSON.stringify(value)}\n\n`;

/** A stream that says an answer in one piece, as far as its protocol can. */
const STREAMS: Readonly<Record<Protocol, (whole: JsonObject) => readonly string[]>> = {
  'openai-chat': (whole) => [chunk(whole), 'data: [DONE]\n\n'],
  'openai-responses': (whole) => [
    event({ type: 'response.created', response: { id: 'r', model: 'up', output: [] } }),
    event({ type: 'response.completed', response: whole }),
  ],
  anthropic: (whole) => [
    event({ type: 'message_start', message: whole }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
    event({ type: 'message_stop' }),
  ],
  gemini: (whole) => [chunk(whole)],
};

describe.each([
  ['openai-chat', CHAT],
  ['openai-responses', RESPONSES],
  ['anthropic', ANTHROPIC],
  ['gemini', GEMINI],
] as const)('an answer of %s', (protocol, said) => {
  test.each(said)(
    'with a call that some clients read and others do not goes to nobody: %s',
    async (_, whole) => {
      for (const isStream of [true, false]) {
        const answer = isStream ? sendEvents(STREAMS[protocol](whole)) : sendJson(JSON.stringify(whole));
        await withRawProvider(protocol, [answer], {}, async ({ url }) => {
          const path = `${url}${surfacePath(protocol, isStream)}`;
          const { body } = await post(path, oddRequest(protocol, isStream));
          expect(body).not.toContain('delete_db');
        });
      }
    },
  );
});

test('a piece of a stream beside a whole message is a call that nobody looked at', async () => {
  const whole = JSON.stringify(chat({}, { delta: { tool_calls: LISTED } }));
  await withRawProvider('openai-chat', [sendJson(whole)], {}, async ({ url }) => {
    const { body, status } = await post(`${url}/v1/chat/completions`, oddRequest('openai-chat', false));
    expect(status).toBe(200);
    expect(body).not.toContain('delete_db');
  });
});
