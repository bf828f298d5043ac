import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Bytes } from './utf8-bytes.ts';

test.each([
  ['', 0],
  ['a\u007f', 2],
  ['\u0080\u07ff', 4],
  ['\u0800\uffff', 6],
  ['😀', 4],
  ['\ud83d', 3],
  ['\ude00\ud83d', 6],
  ['\ud83d\ud83d\ude00', 7],
])('%j takes %i bytes', (text, bytes) => {
  expect(utf8Bytes(text)).toBe(bytes);
});

test('the count is what an encoder writes', () => {
  const unit = fc.constantFrom('a', '\u00e9', '\u20ac', '\ud83d', '\ude00', '😀', '\ufffd');
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});

test.each([255, 256, 16_383, 16_384, 32_767, 50_000])(
  'the count of a text of %i units is what an encoder writes, whatever stands at its borders',
  (length) => {
    for (const unit of ['a', '\u20ac', '\ud83d', '\ude00', '😀', 'a😀', '\ud83d\ud83d\ude00']) {
      const text = unit.repeat(length).slice(0, length);
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
      expect(utf8Bytes(`a${text}`)).toBe(new TextEncoder().encode(`a${text}`).length);
    }
  },
);
