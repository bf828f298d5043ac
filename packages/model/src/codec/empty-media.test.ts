import { describe, expect, test } from 'vitest';
import type { Item, MediaContent } from '../call/item.ts';
import { PROTOCOLS } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

const base64 = (mediaType: string, data = '') => ({ kind: 'base64', mediaType, data }) as const;
const EMPTY: readonly MediaContent[] = [
  { kind: 'image', source: base64('image/png') },
  { kind: 'image', source: base64('image/png', ' \r\n==') },
  { kind: 'image', source: { kind: 'url', url: '' } },
  { kind: 'audio', source: base64('audio/wav') },
  { kind: 'file', source: base64('application/pdf'), name: 'a.pdf' },
  { kind: 'file', source: base64('text/csv'), name: 'a.csv' },
  { kind: 'file', source: { kind: 'text', mediaType: 'text/plain', text: ' \n' } },
  { kind: 'file', source: { kind: 'file-id', protocol: 'openai-chat', id: '' } },
];
const said = (part: MediaContent): Item => ({ kind: 'message', role: 'user', parts: [part] });
const given = (part: MediaContent): readonly Item[] => [
  said({ kind: 'image', source: base64('image/png', 'iVBORw0KGgo=') }),
  { kind: 'tool-call', callId: 'call_1', name: 'look', arguments: '{}' },
  { kind: 'tool-result', callId: 'call_1', name: 'look', parts: [part] },
];

describe.each(PROTOCOLS)('for %s', (protocol) => {
  const encode = (items: readonly Item[]) => codecOf(protocol).encodeRequest({ model: 'm', items });

  test.each(EMPTY)('$kind without content is a note, and the loss is told: $source', (part) => {
    for (const [items, path] of [
      [[said(part)], '/items/0/parts/0'],
      [given(part), '/items/2/parts/0'],
    ] as const) {
      const { losses, value } = encode(items);
      const body = JSON.stringify(value.body);
      expect(body.split(`[${part.kind} left out: it is empty]`)).toHaveLength(2);
      expect(body).not.toContain('a.pdf');
      expect(losses.filter(({ severity }) => severity === 'error')).toEqual([
        expect.objectContaining({ code: 'dropped', path }),
      ]);
    }
  });

  test('a text file that says something is there', () => {
    const part: MediaContent = { kind: 'file', source: base64('text/plain', btoa('x')) };
    expect(JSON.stringify(encode([said(part)]).value.body)).not.toContain('left out');
  });
});
