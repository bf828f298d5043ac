import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLineSplitter } from './line-splitter.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const TOO_LONG = Symbol('too long');

function split(chunks: readonly Uint8Array[], maxBytes: number): (string | typeof TOO_LONG)[] {
  const splitter = createLineSplitter(maxBytes);
  const lines = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
  expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
  return lines.map(({ bytes }) => (bytes === undefined ? TOO_LONG : new TextDecoder().decode(bytes)));
}

describe('lines of a byte stream', () => {
  test.each([
    ['nothing', '', []],
    ['one line without an end', 'a', ['a']],
    ['one line with an end', 'a\n', ['a']],
    ['empty lines', '\n\n', ['', '']],
    ['line ends of Windows', 'a\r\nb\r\n', ['a', 'b']],
    ['a carriage return inside', 'a\rb\n', ['a\rb']],
    ['a line of exactly the limit', '12345678\nx', ['12345678', 'x']],
    ['a line of exactly the limit and a carriage return', '12345678\r\nx', ['12345678', 'x']],
    ['a line that is one byte too long', '123456789\nx', [TOO_LONG, 'x']],
    ['a last line that is too long', 'x\n123456789', ['x', TOO_LONG]],
  ])('%s', (_what, text, expected) => {
    expect(split([encode(text)], 8)).toEqual(expected);
    expect(
      split(
        Array.from(encode(text), (byte) => Uint8Array.of(byte)),
        8,
      ),
    ).toEqual(expected);
  });

  test('do not depend on where the stream is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ß', '\n', '\r', '🚀'), maxLength: 60 });
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat(80), { maxLength: 8 }),
        fc.integer({ min: 1, max: 20 }),
        (all, cuts, max) => {
          const bytes = encode(all);
          const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
          expect(split(chunks, max)).toEqual(split([bytes], max));
        },
      ),
    );
  });

  test('what is kept of a line is not changed by the next chunk in the same memory', () => {
    const splitter = createLineSplitter(100);
    const memory = encode('first');
    splitter.push(memory);
    memory.fill(0x78);
    const [line] = splitter.push(encode(' line\n'));
    expect(new TextDecoder().decode(line?.bytes)).toBe('first line');
  });

  test('an endless line is not kept', () => {
    const splitter = createLineSplitter(1_000);
    const chunk = new Uint8Array(1_048_576).fill(0x61);
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 500; count += 1) expect(splitter.push(chunk)).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1_048_576);
    expect(splitter.push(encode('\n'))).toEqual([{ number: 1, bytes: undefined }]);
  });
});
