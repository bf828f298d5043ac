import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, textOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const ARGS = '{"path":"a"}';
const CALL = { index: 0, id: 'c1', type: 'function', function: { name: 'find', arguments: ARGS } };
const USAGE = { id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } };
const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  model: 'up',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const sse = (...values: readonly (object | string)[]): readonly string[] =>
  values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
const TEXT = chunk({ role: 'assistant', content: 'Look' });
const CALLS = chunk({ tool_calls: [CALL] });

const block = (
  index: number,
  type: object,
  delta: object,
): readonly { readonly type: string; readonly [member: string]: unknown }[] => [
  { type: 'content_block_start', index, content_block: type },
  { type: 'content_block_delta', index, delta },
  { type: 'content_block_stop', index },
];
const anthropic = (word: string, usage: object): readonly string[] =>
  [
    {
      type: 'message_start',
      message: { id: 'm', model: 'up', role: 'assistant', content: [], usage: { input_tokens: 3 } },
    },
    ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Look' }),
    ...block(
      1,
      { type: 'tool_use', id: 'c1', name: 'find', input: {} },
      { type: 'input_json_delta', partial_json: ARGS },
    ),
    { type: 'message_delta', delta: { stop_reason: word }, ...usage },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

const wholeChat = (finish: string): string =>
  JSON.stringify({
    id: 'c',
    model: 'up',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Look', tool_calls: [CALL] },
        finish_reason: finish,
      },
    ],
  });
const wholeAnthropic = (word: string): string =>
  JSON.stringify({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'up',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'tool_use', id: 'c1', name: 'find', input: { path: 'a' } },
    ],
    stop_reason: word,
    usage: { input_tokens: 3, output_tokens: 4 },
  });

async function passed(protocol: Protocol, stream: boolean, answer: RawAnswer): Promise<string> {
  return withRawProvider(protocol, [answer], {}, async ({ url }) => {
    const { body, status } = await post(
      `${url}${surfacePath(protocol, stream)}`,
      oddRequest(protocol, stream),
    );
    expect(status).toBe(200);
    return body;
  });
}

const CHAT = 'openai-chat';
const DENIED: readonly (readonly [string, Protocol, boolean, RawAnswer])[] = [
  ['in a chunk of its own', CHAT, true, sendEvents(sse(TEXT, CALLS, chunk({}, 'stop'), '[DONE]'))],
  ['with the call', CHAT, true, sendEvents(sse(TEXT, chunk({ tool_calls: [CALL] }, 'stop'), '[DONE]'))],
  ['before the counts', CHAT, true, sendEvents(sse(TEXT, CALLS, chunk({}, 'stop'), USAGE, '[DONE]'))],
  ['without an end mark', CHAT, true, sendEvents(sse(TEXT, CALLS, chunk({}, 'stop')))],
  [
    'before the true one',
    CHAT,
    true,
    sendEvents(sse(TEXT, CALLS, chunk({}, 'stop'), chunk({}, 'tool_calls'), '[DONE]')),
  ],
  ['in a whole answer', CHAT, false, sendJson(wholeChat('stop'))],
  ['with counts', 'anthropic', true, sendEvents(anthropic('end_turn', { usage: { output_tokens: 4 } }))],
  ['without counts', 'anthropic', true, sendEvents(anthropic('end_turn', {}))],
  ['in a whole answer', 'anthropic', false, sendJson(wholeAnthropic('end_turn'))],
];

describe('a word for the end that speaks of no calls', () => {
  test.each(DENIED)(
    'behind a call becomes the one that does: %s, %s',
    async (_, protocol, stream, answer) => {
      const body = await passed(protocol, stream, answer);
      const words = [...body.matchAll(/"(?:finish_reason|stop_reason)":"([^"]+)"/g)].map(([, word]) => word);
      expect(words).toEqual([protocol === CHAT ? 'tool_calls' : 'tool_use']);
      const response = readAnswer(protocol, stream, body);
      expect(callsOf(response)).toEqual([['find', ARGS]]);
      expect(textOf(response)).toBe('Look');
      if (stream)
        expect(body.trimEnd().split('\n').at(-1)).toMatch(protocol === CHAT ? /\[DONE\]/ : /message_stop/);
    },
  );

  test('is passed on as it came where there is no call, and in the old form', async () => {
    const legacy = chunk({ function_call: { name: 'find', arguments: ARGS } });
    for (const chunks of [
      [TEXT, chunk({}, 'stop'), USAGE],
      [TEXT, legacy, chunk({}, 'stop')],
    ]) {
      const sent = sse(...chunks, '[DONE]');
      expect(await passed(CHAT, true, sendEvents(sent))).toBe(sent.join(''));
    }
    const message = { role: 'assistant', content: null, function_call: { name: 'find', arguments: ARGS } };
    const whole = JSON.stringify({ id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] });
    expect(await passed(CHAT, false, sendJson(whole))).toBe(whole);
  });

  test('that speaks of them is passed on as it came', async () => {
    const sent = sse(TEXT, CALLS, chunk({}, 'tool_calls'), '[DONE]');
    expect(await passed(CHAT, true, sendEvents(sent))).toBe(sent.join(''));
    const other = anthropic('tool_use', { usage: { output_tokens: 4 } });
    expect(await passed('anthropic', true, sendEvents(other))).toBe(other.join(''));
    expect(await passed(CHAT, false, sendJson(wholeChat('tool_calls')))).toBe(wholeChat('tool_calls'));
  });
});
