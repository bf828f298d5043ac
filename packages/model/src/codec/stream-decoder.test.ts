import { describe, expect, test } from 'vitest';
import { decodeText } from '../../test-support/recordings.ts';
import { PROTOCOLS, type Protocol } from '../call/protocol.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { codecOf } from './codecs.ts';

const EVENTS: readonly ModelEvent[] = [
  { kind: 'response-start', id: 'r1', model: 'm', createdAt: 1 },
  { kind: 'text-start', index: 0 },
  { kind: 'text-delta', index: 0, text: 'Hi' },
  { kind: 'text-end', index: 0 },
  { kind: 'call-start', index: 1, callId: 'c1', name: 'find' },
  { kind: 'call-delta', index: 1, delta: '{"a":1}' },
  { kind: 'call-end', index: 1, callId: 'c1', name: 'find', arguments: '{"a":1}' },
  { kind: 'response-end', finish: 'tool-calls' },
];

/** The events of a stream, piece by piece as its provider writes them. */
function written(protocol: Protocol): readonly string[] {
  const encoder = codecOf(protocol).encodeStream({ includeUsage: true });
  return EVENTS.map((event) => encoder.push(event)).filter((text) => text !== '');
}

describe.each(PROTOCOLS)('%s', (protocol) => {
  const read = (text: string) => decodeText(codecOf(protocol), text);

  test.each([
    ['without data', 'data:\n\n'],
    ['with blank data', 'data:  \r\n\r\n'],
    ['with two empty lines of data', 'data\ndata:\n\n'],
    ['with a name and no data', 'event: keepalive\ndata:\n\n'],
    ['that is a name alone', 'event: keepalive\n\n'],
    ['that is a comment', ': keepalive\n\n'],
  ])('an event %s, which keeps a connection alive, is no part of the answer', (_, sign) => {
    const pieces = written(protocol);
    const kept = [sign, ...pieces.flatMap((piece) => [piece, sign])].join('');
    expect(read(kept)).toEqual(read(pieces.join('')));
  });

  test('nothing but such events is no answer', () => {
    expect(read('data:\n\ndata: \n\n').map(({ kind }) => kind)).toEqual(['response-error']);
  });

  test.each(['data: null\n\n', 'data: 1\n\n', 'data: {\n\n'])('%j is none of them', (sign) => {
    const [first = '', ...rest] = written(protocol);
    expect(read([first, sign, ...rest].join('')).at(-1)?.kind).toBe('response-error');
  });
});
