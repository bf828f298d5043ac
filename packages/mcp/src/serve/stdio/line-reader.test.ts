import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

const bytes = (text: string) => Buffer.from(text);

/** Lines as texts; a line that is too long as `undefined`. */
function read(reader: LineReader, ...pieces: Uint8Array[]): (string | undefined)[] {
  return pieces.flatMap((piece) =>
    [...reader.push(piece)].map((line) =>
      line.kind === 'line' ? Buffer.from(line.bytes).toString() : undefined,
    ),
  );
}

test('lines are the same however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, unit: fc.constantFrom('a', 'ä', '😀', '\t', '{') }), {
        maxLength: 8,
      }),
      fc.array(fc.nat(40), { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      (lines, cuts, end) => {
        const whole = bytes(lines.map((line) => line + end).join(''));
        const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)), whole.length].toSorted(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((place, index) => whole.subarray(places[index], place));
        expect(read(new LineReader(1_000), ...pieces)).toEqual(lines);
      },
    ),
  );
});

test('a line that is too long is said to be so once, and the next one is read', () => {
  const reader = new LineReader(4);
  expect(read(reader, bytes('abcd\nabcde\nab'), bytes('cd\n'))).toEqual(['abcd', undefined, 'abcd']);
  const long = Array.from({ length: 1_000 }, () => bytes('x'.repeat(1_000)));
  expect(read(reader, ...long, bytes('\nnext\n'))).toEqual([undefined, 'next']);
});

test('the carriage return of a line does not count', () => {
  expect(read(new LineReader(4), bytes('abcd\r\nabcde\r\n'))).toEqual(['abcd', undefined]);
});

test('empty lines are left out', () => {
  expect(read(new LineReader(4), bytes('\n\r\n\na\n'))).toEqual(['a']);
});

test('a line that lacks its end is given when nothing more comes, once, and not one that was too long', () => {
  const reader = new LineReader(4);
  expect(read(reader, bytes('ab\ncd'))).toEqual(['ab']);
  expect([reader.end(), reader.end()]).toEqual([{ kind: 'line', bytes: bytes('cd') }, undefined]);
  expect(read(reader, bytes('abcdef'))).toEqual([undefined]);
  expect(reader.end()).toBeUndefined();
});
