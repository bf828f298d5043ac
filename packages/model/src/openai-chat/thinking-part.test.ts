import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../test-support/recordings.ts';
import type { Item } from '../call/item.ts';
import { collectResponse } from '../event/collect-response.ts';
import { openaiChat } from './openai-chat.ts';

const thinking = (text: string, members: object = {}) => ({
  type: 'thinking',
  thinking: [{ type: 'text', text }],
  ...members,
});
const said = (text: string) => ({ type: 'text', text });
const reasoning = (text: string): Item => ({
  kind: 'reasoning',
  text,
  extensions: { protocol: 'openai-chat', members: { field: 'thinking' } },
});
const message = (text: string): Item => ({
  kind: 'message',
  role: 'assistant',
  parts: [{ kind: 'text', text }],
});

function whole(content: unknown, members: object = {}) {
  return openaiChat.decodeResponse({
    id: 'r',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, ...members } }],
  } as JsonObject);
}

function streamed(...deltas: readonly object[]): readonly Item[] {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'r', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const text = [...deltas.map((delta) => chunk(delta)), chunk({ content: '' }, 'stop'), 'data: [DONE]\n\n'];
  return collectResponse(decodeText(openaiChat, text.join(''))).items;
}

describe('a thought among the parts of a content', () => {
  test('is a thought of the answer, before its text', () => {
    const { losses, value } = whole([thinking('One. ', { closed: true }), said('Yes.'), thinking('Two.')]);
    expect(value.items).toEqual([reasoning('One. Two.'), message('Yes.')]);
    expect(losses).toEqual([]);
  });

  test('is one in a stream, in whatever pieces it and the text come', () => {
    expect(
      streamed(
        { role: 'assistant', content: '' },
        { content: [thinking('On')] },
        { content: [thinking('e.')] },
        { content: [thinking('', { closed: true }), said('Ye')] },
        { content: 's.' },
      ),
    ).toEqual([reasoning('One.'), message('Yes.')]);
  });

  test('stands before a call, whole and streamed', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } };
    const items = [reasoning('Hm.'), expect.objectContaining({ kind: 'tool-call', callId: 'c1' })];
    expect(whole([thinking('Hm.')], { tool_calls: [call] }).value.items).toEqual(items);
    expect(streamed({ content: [thinking('Hm.')] }, { tool_calls: [{ index: 0, ...call }] })).toEqual(items);
  });

  test('is said once where a server says it in a member, too', () => {
    const twice = { reasoning_content: 'Hm.', content: [thinking('Hm.'), said('Yes.')] };
    const [first] = whole(twice.content, { reasoning_content: 'Hm.' }).value.items;
    expect(first).toMatchObject({ text: 'Hm.', extensions: { members: { field: 'reasoning_content' } } });
    expect(streamed(twice)[0]).toEqual(first);
  });

  test('that holds what is no text is its text, and that is told', () => {
    const mixed = { type: 'thinking', thinking: [said('Hm.'), { type: 'reference', reference_ids: [1] }, 7] };
    const { losses, value } = whole([mixed, said('Yes.')]);
    expect(value.items).toEqual([reasoning('Hm.'), message('Yes.')]);
    expect(losses).toMatchObject([{ path: '/choices/0/message/content/0/thinking', severity: 'info' }]);
    expect(streamed({ content: [mixed, said('Yes.')] })).toEqual(value.items);
  });

  test.each([[{ type: 'thinking', thinking: [] }], [{ type: 'thinking', thinking: [said('')] }]])(
    'that says nothing is none: %j',
    (part) => {
      expect(whole([part, said('Yes.')]).value.items).toEqual([message('Yes.')]);
      expect(streamed({ content: [part, said('Yes.')] })).toEqual([message('Yes.')]);
    },
  );

  test('of another form is no thought, and stays what it is', () => {
    const part = { type: 'thinking', thinking: 'Hm.' };
    expect(whole([part, said('Yes.')]).value.items).toEqual([
      {
        kind: 'message',
        role: 'assistant',
        parts: [
          { kind: 'foreign', protocol: 'openai-chat', value: part },
          { kind: 'text', text: 'Yes.' },
        ],
      },
    ]);
  });

  test.each([
    ['with text', [thinking('Hm.'), said('Yes.')], {}],
    ['alone', [thinking('Hm.')], {}],
    [
      'with a call',
      [thinking('Hm.')],
      { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }] },
    ],
  ])('%s goes back as it came, in a conversation and in an answer', (_name, content, members) => {
    const assistant = { role: 'assistant', content, ...members };
    const results = 'tool_calls' in members ? [{ role: 'tool', tool_call_id: 'c1', content: 'r' }] : [];
    const messages = [{ role: 'user', content: 'x' }, assistant, ...results];
    const { value: call } = openaiChat.decodeRequest({ model: 'm', messages } as JsonObject);
    const encoded = openaiChat.encodeRequest(call);
    expect(encoded.value.body['messages']).toEqual(messages);
    expect(encoded.losses).toEqual([]);
    const { value: answer } = openaiChat.encodeResponse(whole(content, members).value);
    expect(answer).toMatchObject({ choices: [{ message: assistant }] });
  });
});
