import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteShort } from './quote-short.ts';

test.each([
  ['abc', 10, '"abc"'],
  ['', 10, '""'],
  ['abcdef', 3, '"…def"'],
  ['a"b\\c', 10, '"a\\"b\\\\c"'],
  ['\u0000\n', 20, '"\\u0000\\u000a"'],
  ['\u202eabc', 10, '"\\u202eabc"'],
  ['x\ud800', 10, '"x\\ud800"'],
  ['😀😀', 2, '"…😀"'],
  ['😀😀', 3, '"…😀"'],
  ['\u0007\u0007', 10, '"…\\u0007"'],
  ['\u{e0001}', 20, '"\\udb40\\udc01"'],
])('%j shortened to %i is %s', (text, max, quoted) => {
  expect(quoteShort(text, max)).toBe(quoted);
});

test('a quote is never longer than asked for and holds nothing that changes what follows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 60 }), (text, max) => {
      const quoted = quoteShort(text, max);
      expect(quoted.length).toBeLessThanOrEqual(max + 3);
      expect(quoted).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(quoted.slice(1, -1)).not.toMatch(/(?<!\\)(?:\\\\)*"/);
    }),
  );
});
