import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { collectResponse } from '../event/collect-response.ts';
import { decodeStream } from './decode-stream.ts';

/** An event as it stands on the wire. */
interface Event {
  readonly type: string;
  readonly [member: string]: unknown;
}

const event = (data: Event): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** An answer of one block, with one delta of a kind that is not known before the known one. */
function answerWith(block: JsonObject, known: JsonObject, odd: JsonObject) {
  const at = { index: 0 };
  const stream = [
    { type: 'message_start', message: { id: 'm', model: 'up', role: 'assistant', content: [] } },
    { type: 'content_block_start', ...at, content_block: block },
    { type: 'content_block_delta', ...at, delta: odd },
    { type: 'content_block_delta', ...at, delta: known },
    { type: 'content_block_stop', ...at },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ];
  const decoder = decodeStream();
  return collectResponse([...decoder.push(Buffer.from(stream.map(event).join(''))), ...decoder.end()]);
}

const NEW = { type: 'later_delta', later: 1 };
const TEXT = [
  { type: 'text', text: '' },
  { type: 'text_delta', text: 'hey' },
] as const;
const THOUGHT = [
  { type: 'thinking', thinking: '', signature: '' },
  { type: 'thinking_delta', thinking: 'hm' },
] as const;
const CALL = [
  { type: 'tool_use', id: 't', name: 'find', input: {} },
  { type: 'input_json_delta', partial_json: '{}' },
] as const;

describe('a delta of a kind that came later than this edition', () => {
  test.each([
    ['a text', TEXT, 'hey'],
    ['a thought', THOUGHT, 'hm'],
  ])('is passed over in %s, which stays what it is', (_, [block, delta], said) => {
    const { finish, items } = answerWith(block, delta, NEW);
    expect([finish, JSON.stringify(items).includes(said)]).toEqual(['stop', true]);
  });

  test('fails an answer in a call, whose arguments it may be', () => {
    expect(answerWith(...CALL, NEW).finish).toBe('error');
  });

  test('is another thing than one of another kind of block', () => {
    expect(answerWith(...TEXT, CALL[1]).finish).toBe('error');
    expect(answerWith(...THOUGHT, TEXT[1]).finish).toBe('error');
    expect(answerWith(...TEXT, { later: 1 }).finish).toBe('error');
  });
});
