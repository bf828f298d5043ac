import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventReader, type StreamEvent } from './event-reader.ts';

/** The events of a stream that comes in pieces of these lengths, and what is left of it. */
function eventsOf(text: string, lengths: readonly number[] = []) {
  const bytes = new TextEncoder().encode(text);
  const events = new EventReader();
  const found: StreamEvent[] = [];
  let at = 0;
  for (const length of [...lengths, bytes.byteLength]) {
    found.push(...events.push(bytes.subarray(at, at + length)));
    at += length;
  }
  return { found, held: events.held, rest: events.end() };
}

/** The data of events that have some. */
const dataOf = ({ found }: ReturnType<typeof eventsOf>): readonly string[] =>
  found.flatMap(({ data }) => data ?? []);

test.each([
  ['one event', 'data: {"a":1}\n\n', ['{"a":1}']],
  ['data without a blank', 'data:a\n\n', ['a']],
  ['data of many lines', 'data: a\ndata: b\n\n', ['a\nb']],
  ['other fields and comments', 'event: message\n: hello\nid: 7\ndata: a\n\n', ['a']],
  ['ends of another kind', 'data: a\r\rdata: b\r\n\r\n', ['a', 'b']],
  ['a field that only begins like data', 'database: a\n\n', []],
  ['an event that is not complete', 'data: a\n', []],
  ['a line of data without a colon', 'data: a\ndata\ndata: b\n\n', ['a\n\nb']],
  ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
])('of %s the data is given', (_what, text, events) => {
  expect(dataOf(eventsOf(text))).toEqual(events);
});

test('all lines of an event are given, and comments that stand alone, but no empty lines', () => {
  expect(eventsOf(': hello\n\n\nid: 7\r\ndata: a\r\n\r\n').found).toEqual([
    { lines: [': hello'], data: undefined, bytes: 9 },
    { lines: ['id: 7', 'data: a'], data: 'a', bytes: 15 },
  ]);
});

test.each([
  ['a whole line', 'id: 7\ndata: a\n', { lines: ['id: 7', 'data: a'], data: 'a' }, 14],
  ['half a line', 'data: ü', { lines: ['data: ü'], data: 'ü' }, 8],
  ['nothing', 'data: a\n\n', undefined, 0],
])('%s is held until the stream ends', (_what, text, rest, held) => {
  expect(eventsOf(text)).toMatchObject({ held, rest });
});

test('the events are the same however the stream is cut', () => {
  const line = fc.constantFrom('data: ü🚀', 'data: b', ': c', '', 'id: 1');
  const end = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.integer({ min: 0, max: 5 })), (lines, lengths) => {
      const text = lines.map(([content, ending]) => content + ending).join('');
      expect(eventsOf(text, lengths).found).toEqual(eventsOf(text).found);
    }),
  );
});
