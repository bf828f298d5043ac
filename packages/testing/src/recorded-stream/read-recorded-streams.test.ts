import {
  codecOf,
  collectResponse,
  createEventOrder,
  type ModelEvent,
  PROTOCOLS,
  type Protocol,
} from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { mangleStream, streamMangles } from '../stream-mangler/mangle-stream.ts';
import { readRecordedStreams } from './read-recorded-streams.ts';

function decode(protocol: Protocol, pieces: readonly Uint8Array[]): readonly ModelEvent[] {
  const decoder = codecOf(protocol).decodeStream();
  const events = [...pieces.flatMap((piece) => [...decoder.push(piece)]), ...decoder.end()];
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  return events;
}

describe.each(PROTOCOLS)('the recorded streams of %s', (protocol) => {
  const streams = readRecordedStreams([protocol]);

  test('are all of this protocol, and none twice', () => {
    expect(streams.every((stream) => stream.protocol === protocol)).toBe(true);
    expect(new Set(streams.map(({ name }) => name)).size).toBe(streams.length);
  });

  test('show text, calls, thoughts, counts, a cut and a failure', () => {
    const kinds = new Set(streams.flatMap(({ bytes }) => decode(protocol, [bytes]).map(({ kind }) => kind)));
    for (const kind of ['text-delta', 'call-end', 'reasoning-delta', 'usage', 'response-error'])
      expect(kinds).toContain(kind);
    const ends = streams.map(({ bytes }) => collectResponse(decode(protocol, [bytes])).finish);
    expect(ends).toEqual(expect.arrayContaining(['stop', 'tool-calls', 'length', 'error']));
  });

  test('are the whole answers that stand beside them', () => {
    for (const { bytes, whole } of streams) {
      if (whole === undefined) continue;
      const { value } = codecOf(protocol).decodeResponse(whole);
      expect(collectResponse(decode(protocol, [bytes]))).toEqual(value);
    }
  });

  test('end once and in order, mangled in any one place, and the pieces make no difference', () => {
    for (const { bytes } of streams) {
      const right = decode(protocol, [bytes]);
      for (const mangle of streamMangles(bytes)) {
        const events = decode(protocol, mangleStream(bytes, mangle));
        if (mangle.kind === 'split') expect(events).toEqual(right);
      }
    }
  });
});

test('everybody has bytes of their own', () => {
  const [first] = readRecordedStreams(['gemini']);
  first?.bytes.fill(0);
  const [second] = readRecordedStreams(['gemini']);
  expect(second?.bytes.some((byte) => byte !== 0)).toBe(true);
});
