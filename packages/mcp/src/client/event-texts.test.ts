import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventTexts } from './event-texts.ts';

/** The events of a stream that comes in pieces of these lengths. */
function eventsOf(text: string, lengths: readonly number[] = []): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const events = new EventTexts();
  const found: string[] = [];
  let at = 0;
  for (const length of [...lengths, bytes.byteLength]) {
    found.push(...events.push(bytes.subarray(at, at + length)));
    at += length;
  }
  return found;
}

test.each([
  ['one event', 'data: {"a":1}\n\n', ['{"a":1}']],
  ['data without a blank', 'data:a\n\n', ['a']],
  ['data of many lines', 'data: a\ndata: b\n\n', ['a\nb']],
  ['other fields and comments', 'event: message\n: hello\nid: 7\ndata: a\n\n', ['a']],
  ['ends of another kind', 'data: a\r\rdata: b\r\n\r\n', ['a', 'b']],
  ['a field that only begins like data', 'database: a\n\n', []],
  ['an event that is not complete', 'data: a\n', []],
  ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
])('of %s the data is given', (_what, text, events) => {
  expect(eventsOf(text)).toEqual(events);
});

test('the events are the same however the stream is cut', () => {
  const line = fc.constantFrom('data: ü🚀', 'data: b', ': c', '', 'id: 1');
  const end = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.integer({ min: 0, max: 5 })), (lines, lengths) => {
      const text = lines.map(([content, ending]) => content + ending).join('');
      expect(eventsOf(text, lengths)).toEqual(eventsOf(text));
    }),
  );
});
