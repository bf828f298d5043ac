import {
  codecOf,
  collectResponse,
  createEventOrder,
  type ModelEvent,
  PROTOCOLS,
  type Protocol,
} from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { createScriptedModel } from '../scripted-model/create-scripted-model.ts';
import { mangleStream, streamMangles } from './mangle-stream.ts';

const decodeText = (pieces: readonly Uint8Array[]): string =>
  pieces.map((piece) => new TextDecoder('utf-8', { fatal: false }).decode(piece)).join('|');
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['swap', 0, 'b\n\n|a\n\n|c'],
  ['swap', 2, 'a\n\n|b\n\n|c'],
  ['duplicate', 1, 'a\n\n|b\n\n|b\n\n|c'],
  ['drop', 1, 'a\n\n|c'],
  ['drop', 9, 'a\n\n|b\n\n|c'],
] as const)('an event is told by its blank line: %s %i', (kind, event, expected) => {
  expect(decodeText(mangleStream(encode('a\n\nb\n\nc'), { kind, event }))).toBe(expected);
});

test.each([
  ['a\r\n\r\nb\r\n\r\n', 'a\r\n\r\n'],
  ['a\r\rb\r\r', 'a\r\r'],
  ['a\nc\n\nb\n\n', 'a\nc\n\n'],
])('a blank line may end in any way: %j', (text, first) => {
  expect(
    decodeText(mangleStream(encode(text), { kind: 'duplicate', event: 0 })).startsWith(`${first}|${first}`),
  ).toBe(true);
});

test('pieces and a cut count bytes, and leave the stream as it was', () => {
  const bytes = encode('ä😀');
  expect(mangleStream(bytes, { kind: 'split', pieceBytes: 2 }).map(({ length }) => length)).toEqual([
    2, 2, 2,
  ]);
  expect(mangleStream(bytes, { kind: 'cut', bytes: 3 }).map(({ length }) => length)).toEqual([3]);
  expect(bytes).toEqual(encode('ä😀'));
  expect(() => mangleStream(bytes, { kind: 'split', pieceBytes: 0 })).toThrow(RangeError);
});

async function answerOf(protocol: Protocol): Promise<Uint8Array> {
  const model = createScriptedModel({
    turns: [
      {
        text: 'ä😀 \r\n',
        calls: [
          { name: 'pay', arguments: { eur: 1, to: 'ü' } },
          { name: 'list', arguments: {} },
        ],
        usage: { inputTotal: 1, outputTotal: 2 },
      },
    ],
    pieceLength: 4,
  });
  const encoder = codecOf(protocol).encodeStream({ includeUsage: true });
  let text = '';
  const events = model.stream({ model: 'm', items: [] }, { signal: new AbortController().signal });
  for await (const event of events) text += encoder.push(event);
  return encode(text);
}

function decode(protocol: Protocol, pieces: readonly Uint8Array[]): readonly ModelEvent[] {
  const decoder = codecOf(protocol).decodeStream();
  const events = [...pieces.flatMap((piece) => [...decoder.push(piece)]), ...decoder.end()];
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  return events;
}

describe.each(PROTOCOLS)('a decoder of %s', (protocol) => {
  test('gives the same events however the bytes are split', async () => {
    const bytes = await answerOf(protocol);
    const whole = decode(protocol, [bytes]);
    const joined = (events: readonly ModelEvent[]) => collectResponse(events);
    for (const mangle of streamMangles(bytes)) {
      if (mangle.kind === 'split')
        expect(joined(decode(protocol, mangleStream(bytes, mangle)))).toEqual(joined(whole));
    }
  });

  test('gives legal events, and no call that was not sent, whatever is cut, dropped, doubled or swapped', async () => {
    const bytes = await answerOf(protocol);
    const { items } = collectResponse(decode(protocol, [bytes]));
    const calls = new Set(
      items.flatMap((item) => (item.kind === 'tool-call' ? [`${item.name} ${item.arguments}`] : [])),
    );
    expect(calls.size).toBe(2);
    for (const mangle of streamMangles(bytes)) {
      if (mangle.kind !== 'cut') {
        decode(protocol, mangleStream(bytes, mangle));
        continue;
      }
      const response = collectResponse(decode(protocol, mangleStream(bytes, mangle)));
      const open = new Set(response.incomplete);
      const finished = response.items.flatMap((item) =>
        item.kind === 'tool-call' && !open.has(item.callId) ? [`${item.name} ${item.arguments}`] : [],
      );
      expect(finished.filter((call) => !calls.has(call))).toEqual([]);
    }
  });
});
