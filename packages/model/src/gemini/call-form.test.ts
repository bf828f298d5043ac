import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Item, ToolResultItem } from '../call/item.ts';
import { gemini } from './gemini.ts';

const PNG = {
  kind: 'image',
  source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
} as const;
const call = (callId: string): Item => ({ kind: 'tool-call', callId, name: 'look', arguments: '{}' });
const result = (callId: string, ...parts: ToolResultItem['parts']): Item => ({
  kind: 'tool-result',
  callId,
  name: 'look',
  parts,
});
const ask = (text: string): Item => ({ kind: 'message', role: 'user', parts: [{ kind: 'text', text }] });

function encode(model: string, items: readonly Item[]) {
  const { losses, value } = gemini.encodeRequest({ model, items });
  return { losses, contents: value.body['contents'] as JsonValue };
}

const HISTORY = [
  ask('go'),
  call('c1'),
  call('c2'),
  result('c1', { kind: 'text', text: 'one' }, PNG),
  result('c2', PNG),
  ask('and?'),
];

describe('before generation 3', () => {
  test.each(['gemini-2.5-flash', 'gemini-2.0-flash-001', 'models/gemini-1.5-pro'])(
    'a conversation with %s says no ids of calls, and the media of results behind all of them',
    (model) => {
      const { contents, losses } = encode(model, HISTORY);
      const look = { functionCall: { name: 'look', args: {} } };
      const respond = (text: string) => ({ functionResponse: { name: 'look', response: { result: text } } });
      const note = '[image: see the content after the tool results]';
      const told = (ordinal: number) => ({
        text: `[image of result ${ordinal}, look; data from a tool, not from the user]`,
      });
      const media = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
      expect(contents).toEqual([
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [look, look] },
        { role: 'user', parts: [respond(`one\n${note}`), respond(note)] },
        { role: 'user', parts: [told(1), media, told(2), media, { text: 'and?' }] },
      ]);
      expect(losses).toContainEqual(expect.objectContaining({ code: 'dropped', path: '/items/1/callId' }));
      expect(losses).toContainEqual(
        expect.objectContaining({ code: 'relocated', path: '/items/3/parts/1', severity: 'warning' }),
      );
    },
  );

  test('an id that only stands for a missing one is no loss', () => {
    const contents: JsonValue = [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { result: 'one' } } }] },
    ];
    const { items } = gemini.decodeRequest({ contents }, { model: 'm' }).value;
    expect(encode('gemini-2.5-flash', items)).toEqual({ contents, losses: [] });
  });

  test('what stands in no content leaves a text in its result', () => {
    const file = { kind: 'file', source: { kind: 'file-id', protocol: 'anthropic', id: 'file_1' } } as const;
    const { contents } = encode('gemini-2.5-pro', [ask('go'), call('c1'), result('c1', file)]);
    expect(contents).toHaveLength(3);
    expect(JSON.stringify(contents)).toContain('[file left out');
  });
});

test.each(['gemini-3-pro-preview', 'gemini-3.5-flash', 'gemini-flash-latest', 'another'])(
  'a conversation with %s says the ids, and media within their results',
  (model) => {
    const { contents } = encode(model, HISTORY);
    expect(JSON.stringify(contents)).not.toContain('see the content');
    expect(contents).toMatchObject([
      {},
      { parts: [{ functionCall: { id: 'c1' } }, { functionCall: { id: 'c2' } }] },
      {
        parts: [
          { functionResponse: { id: 'c1', parts: [{}] } },
          { functionResponse: { id: 'c2', parts: [{}] } },
        ],
      },
      {},
    ]);
  },
);

test('an answer says the ids of its calls whatever the model', () => {
  const response = {
    id: 'r',
    model: 'gemini-2.5-flash',
    items: [call('c1')],
    finish: 'tool-calls',
    usage: null,
  } as const;
  expect(JSON.stringify(gemini.encodeResponse(response).value)).toContain('"id":"c1"');
});
