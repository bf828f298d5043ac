import type { JsonObject } from '@toolgate/core';
import { expect, test } from 'vitest';
import { codecOf } from '../codec/codecs.ts';

const cache_control = { type: 'ephemeral' };
const text = (words: string, marked: boolean) => ({
  type: 'text',
  text: words,
  ...(marked ? { cache_control } : {}),
});

/** What Anthropic is sent for a client of Chat Completions that marks its instructions and so many messages. */
function sent(marked: number, plain = 0): { readonly body: JsonObject; readonly lost: readonly string[] } {
  const messages = [
    { role: 'system', content: [text('s', true)] },
    ...Array.from({ length: plain + marked }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [text(`t${at}`, at >= plain)],
    })),
    { role: 'user', content: 'end' },
  ];
  const call = codecOf('openai-chat').decodeRequest({ model: 'm', messages }).value;
  const { losses, value } = codecOf('anthropic').encodeRequest(call);
  return { body: value.body, lost: losses.filter(({ path }) => path === '').map(({ severity }) => severity) };
}

const marks = (value: unknown): number => JSON.stringify(value).split('"cache_control"').length - 1;

test('as many cache marks as the API takes go as they came', () => {
  const { body, lost } = sent(3);
  expect([marks(body['system']), marks(body['messages']), lost]).toEqual([1, 3, []]);
});

test('of more marks the last ones stay, and every word stays', () => {
  const { body, lost } = sent(6, 2);
  expect([marks(body), marks(body['system']), lost]).toEqual([4, 0, ['info']]);
  const blocks = (body['messages'] as readonly { readonly content: readonly JsonObject[] }[]).flatMap(
    ({ content }) => content,
  );
  expect(blocks.filter((block) => marks(block) > 0).map((block) => block['text'])).toEqual([
    't4',
    't5',
    't6',
    't7',
  ]);
  for (let at = 0; at < 8; at += 1) expect(JSON.stringify(body)).toContain(`"t${at}"`);
});

test('a mark in a result counts', () => {
  const result = { type: 'tool_result', tool_use_id: 'c', content: [text('r', true)], cache_control };
  const request = {
    model: 'm',
    max_tokens: 5,
    tools: [{ name: 'a', input_schema: { type: 'object' }, cache_control }],
    system: [text('s', true)],
    messages: [
      { role: 'user', content: [text('hi', true)] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'a', input: { cache_control } }] },
      { role: 'user', content: [result] },
    ],
  };
  const codec = codecOf('anthropic');
  const { body } = codec.encodeRequest(codec.decodeRequest(request).value).value;
  expect([marks(body['tools']), marks(body['system'])]).toEqual([0, 1]);
  // Arguments are the model's.
  expect(marks(body['messages'])).toBe(4);
});
