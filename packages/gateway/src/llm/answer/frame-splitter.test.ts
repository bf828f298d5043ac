import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameSplitter } from './frame-splitter.ts';

function split(text: string, sizes: readonly number[], maxBytes = 1_000): readonly string[] {
  const splitter = createFrameSplitter(maxBytes);
  const bytes = Buffer.from(text);
  const frames: Uint8Array[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    frames.push(...splitter.push(bytes.subarray(at, at + size)));
    at += size;
  }
  const rest = splitter.end();
  return [...frames, ...(rest === undefined ? [] : [rest])].map((frame) => Buffer.from(frame).toString());
}

describe('a frame splitter', () => {
  test.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['data: a\n\n', 'data: b\n\n']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['data: a\r\n\r\n', 'data: b\r\n\r\n']],
    ['CR', 'data: a\r\rdata: b\r\r', ['data: a\r\r', 'data: b\r\r']],
    [
      'mixed',
      'data: a\r\n\ndata: b\n\r\ndata: c\r\n\r\n',
      ['data: a\r\n\n', 'data: b\n\r\n', 'data: c\r\n\r\n'],
    ],
    ['several lines', 'event: x\ndata: a\n\n:c\n\n', ['event: x\ndata: a\n\n', ':c\n\n']],
    ['an open end', 'data: a\n\ndata: b', ['data: a\n\n', 'data: b']],
  ])('cuts at blank lines with %s, wherever the bytes are cut', (_, text, frames) => {
    for (let size = 1; size <= text.length; size += 1) expect(split(text, [size])).toEqual(frames);
  });

  test('loses no byte and puts none in, and cuts the same however the bytes come', () => {
    const piece = fc.constantFrom('a', 'data: ', ':', 'ü', '\n', '\r\n', '\n\n', '\r\n\r\n', '\r');
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(piece), sizes, (pieces, cuts) => {
        const text = pieces.join('');
        const frames = split(text, cuts);
        expect(frames.join('')).toBe(text);
        expect(frames).toEqual(split(text, [Math.max(1, text.length * 2)]));
      }),
    );
  });

  test('hands an event that is too long on in pieces instead of keeping it', () => {
    expect(split('x'.repeat(50), [10], 25).length).toBeGreaterThan(1);
  });
});
