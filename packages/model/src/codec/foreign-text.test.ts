import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import { codecOf } from './codecs.ts';
import { foreignText } from './foreign-text.ts';

const text = (said: string): JsonObject => ({ type: 'text', text: said });
const foreign = (value: JsonObject) => ({ kind: 'foreign', protocol: 'anthropic', value }) as const;

const WORDS: readonly (readonly [string, JsonObject, string])[] = [
  ['a tool that was found', { type: 'tool_reference', tool_name: 'weather' }, '[tool available: weather]'],
  [
    'a document that was found',
    { type: 'search_result', source: 'https://a.test', title: 'A', content: [text('one'), text('two')] },
    'A\nhttps://a.test\none\ntwo',
  ],
  [
    'a document in blocks',
    { type: 'document', source: { type: 'content', content: [text('one'), text('two')] } },
    'one\ntwo',
  ],
  ['a document in one text', { type: 'document', source: { type: 'content', content: 'one' } }, 'one'],
];

test.each(WORDS)('%s has words', (_, value, words) => {
  expect(foreignText(foreign(value))).toBe(words);
});

test.each<[string, JsonObject]>([
  ['a tool without a name', { type: 'tool_reference' }],
  ['a document without content', { type: 'search_result', title: 'A' }],
  ['a document that is no text', { type: 'search_result', content: [text('one'), { type: 'image' }] }],
  ['a document with another source', { type: 'document', source: { type: 'new', content: 'one' } }],
  ['anything else', { type: 'container_upload', file_id: 'f1' }],
])('%s has none', (_, value) => {
  expect(foreignText(foreign(value))).toBeUndefined();
});

test('what another protocol calls so has none', () => {
  const value = { type: 'tool_reference', tool_name: 'weather' };
  expect(foreignText({ kind: 'foreign', protocol: 'openai-chat', value })).toBeUndefined();
});

describe.each(['openai-chat', 'openai-responses', 'gemini'] as const)('in a request of %s', (protocol) => {
  test.each(WORDS)('%s in a result is text that the model reads, and that is told', (_, value, words) => {
    const items: readonly Item[] = [
      { kind: 'tool-call', callId: 'c1', name: 'search', arguments: '{}' },
      { kind: 'tool-result', callId: 'c1', parts: [foreign(value)] },
    ];
    const { losses, value: wire } = codecOf(protocol).encodeRequest({ model: 'm', items });
    expect(JSON.stringify(wire.body)).toContain(JSON.stringify(words));
    expect(losses).toContainEqual(
      expect.objectContaining({ code: 'approximated', path: '/items/1/parts/0', severity: 'warning' }),
    );
  });
});

test('it stays what it is for its own protocol', () => {
  const part = { type: 'tool_reference', tool_name: 'weather' };
  const items: readonly Item[] = [{ kind: 'message', role: 'user', parts: [foreign(part)] }];
  const { losses, value } = codecOf('anthropic').encodeRequest({ model: 'm', items });
  expect(value.body['messages']).toEqual([{ role: 'user', content: [part] }]);
  expect(losses.map(({ path }) => path)).toEqual(['/limits/maxOutputTokens']);
});
