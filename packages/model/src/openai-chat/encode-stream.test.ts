import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../event/model-event.ts';
import { openaiChat } from './openai-chat.ts';

const start: ModelEvent = { kind: 'response-start', id: 'c1', model: 'm', createdAt: 7 };
const opened: ModelEvent = { kind: 'call-start', index: 4, callId: 'call_a', name: 'f' };
const closed: ModelEvent = { kind: 'call-end', index: 4, callId: 'call_a', name: 'f', arguments: '' };
const usage: ModelEvent = {
  kind: 'usage',
  usage: { inputTotal: 5, cacheRead: null, cacheWrite: null, outputTotal: 2, reasoning: null },
};

function encode(events: readonly ModelEvent[], includeUsage = false) {
  const encoder = openaiChat.encodeStream({ includeUsage });
  const text = events.map((event) => encoder.push(event)).join('');
  const data = text
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => line.slice('data: '.length));
  return {
    text,
    chunks: data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one)),
    losses: encoder.losses,
  };
}

describe('the reason of the end', () => {
  test.each<[string, readonly ModelEvent[], string]>([
    ['a stop', [{ kind: 'response-end', finish: 'stop' }], 'stop'],
    ['a stop with a whole call', [opened, closed, { kind: 'response-end', finish: 'stop' }], 'tool_calls'],
    ['calls', [opened, closed, { kind: 'response-end', finish: 'tool-calls' }], 'tool_calls'],
    [
      'an unknown end with a whole call',
      [opened, closed, { kind: 'response-end', finish: 'unknown' }],
      'tool_calls',
    ],
    ['a stop with an unfinished call', [opened, { kind: 'response-end', finish: 'stop' }], 'length'],
    [
      'an unknown end with an unfinished call',
      [opened, { kind: 'response-end', finish: 'unknown' }],
      'length',
    ],
    ['a cut wins over whole calls', [opened, closed, { kind: 'response-end', finish: 'length' }], 'length'],
    [
      'a filter wins over whole calls',
      [opened, closed, { kind: 'response-end', finish: 'content-filter' }],
      'content_filter',
    ],
    ['a refusal without words', [{ kind: 'response-end', finish: 'refusal' }], 'content_filter'],
    ['a pause', [{ kind: 'response-end', finish: 'paused' }], 'stop'],
  ])('%s', (_name, events, reason) => {
    const { chunks, text } = encode([start, ...events]);
    expect(chunks.at(-1).choices[0].finish_reason).toBe(reason);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('a failure ends without a reason and without [DONE]', () => {
    const { chunks, text } = encode([
      start,
      opened,
      { kind: 'response-error', code: 'model/timeout', message: 'secret' },
    ]);
    expect(chunks.at(-1)).toEqual({
      error: {
        message: 'The model failed to answer: the provider did not answer in time.',
        type: 'upstream_error',
        param: null,
        code: 'timeout',
      },
    });
    expect(text).not.toMatch(/DONE|secret|"finish_reason":"/);
  });
});

describe('counts', () => {
  test('come in a chunk of their own, if the client asked', () => {
    const { chunks } = encode([start, usage, { kind: 'response-end', finish: 'stop' }], true);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  test('are hidden from a client that did not ask', () => {
    expect(encode([start, usage, { kind: 'response-end', finish: 'stop' }]).text).not.toContain('usage');
  });

  test('are not invented', () => {
    const { chunks } = encode([start, { kind: 'response-end', finish: 'stop' }], true);
    expect(chunks.every((chunk) => chunk.usage === null)).toBe(true);
  });
});

test('calls are numbered from 0 whatever their place in the answer', () => {
  const second: ModelEvent = { kind: 'call-start', index: 9, callId: 'call_b', name: 'g' };
  const { chunks } = encode([start, opened, second, { kind: 'call-delta', index: 9, delta: '{' }]);
  const entries = chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
  expect(entries.map((entry: { index: number }) => entry.index)).toEqual([0, 1, 1]);
});

test('what has no form is reported', () => {
  const { losses, text } = encode([
    start,
    {
      kind: 'foreign',
      index: 0,
      item: { kind: 'foreign', protocol: 'anthropic', role: 'assistant', value: { secret: 1 } },
    },
    { kind: 'part', index: 1, part: { kind: 'foreign', protocol: 'gemini', value: {} } },
    { kind: 'reasoning-start', index: 2 },
    { kind: 'reasoning-end', index: 2, opaque: { protocol: 'anthropic', form: 'signature', value: 'SIG' } },
  ]);
  expect(losses.map(({ code, path }) => [code, path])).toEqual([
    ['refused', '/items/0'],
    ['dropped', '/items/1'],
    ['dropped', '/items/2/opaque'],
  ]);
  expect(text).not.toMatch(/SIG|secret/);
});
