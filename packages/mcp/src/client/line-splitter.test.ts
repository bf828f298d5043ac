import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mcpFault } from '../../test-support/mcp-fault.ts';
import { LineSplitter } from './line-splitter.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function linesOf(pieces: readonly Uint8Array[], maxBytes = 1_000): readonly string[] {
  const splitter = new LineSplitter(maxBytes);
  const lines: string[] = [];
  for (const piece of pieces) splitter.push(piece, (line) => lines.push(line));
  return lines;
}

describe('lines', () => {
  test('come without their ends, and empty ones not at all', () => {
    expect(linesOf([bytes('a\r\nb\n\n\r\nc\n')])).toEqual(['a', 'b', 'c']);
  });

  test('that are not complete are held', () => {
    expect(linesOf([bytes('a\nb')])).toEqual(['a']);
    expect(linesOf([bytes('a\nb'), bytes('c\n')])).toEqual(['a', 'bc']);
  });

  test('are the same however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat({ max: 60 })), (texts, cuts) => {
        const plain = texts.map((text) => text.replace(/[\r\n]/g, '')).filter((text) => text !== '');
        const whole = bytes(plain.map((text) => `${text}\n`).join(''));
        const pieces: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) {
          pieces.push(whole.subarray(at, at + cut));
          at += cut;
        }
        pieces.push(whole.subarray(at));
        expect(linesOf(pieces, 100_000)).toEqual(plain);
      }),
    );
  });
});

describe('a line that is too long', () => {
  test('is refused before it is complete, and however it comes', () => {
    expect(mcpFault(() => linesOf([bytes('x'.repeat(11))], 10)).code).toBe('mcp/message-too-large');
    expect(
      mcpFault(() =>
        linesOf(
          Array.from({ length: 11 }, () => bytes('x')),
          10,
        ),
      ).code,
    ).toBe('mcp/message-too-large');
    expect(linesOf([bytes(`${'x'.repeat(10)}\n${'y'.repeat(10)}\n`)], 10)).toHaveLength(2);
  });

  test('is not kept', () => {
    const splitter = new LineSplitter(10);
    const lines: string[] = [];
    mcpFault(() => splitter.push(bytes('x'.repeat(11)), (line) => lines.push(line)));
    splitter.push(bytes('a\n'), (line) => lines.push(line));
    expect(lines).toEqual(['a']);
  });
});

test('what comes in a hundred thousand pieces is looked at once', () => {
  let touched = 0;
  class Counted extends Uint8Array {
    override indexOf(value: number, from?: number): number {
      touched += this.byteLength - (from ?? 0);
      return super.indexOf(value, from);
    }
  }
  const pieces = Array.from({ length: 100_000 }, () => new Counted([120]));
  expect(linesOf([...pieces, bytes('\n')], 1_000_000)).toEqual(['x'.repeat(100_000)]);
  expect(touched).toBe(100_000);
});

test('what stands behind the last end of a line is given when nothing more comes, once', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter(100);
  splitter.push(Buffer.from('one\ntwo'), (line) => lines.push(line));
  expect([lines, splitter.end(), splitter.end()]).toEqual([['one'], 'two', '']);
});
