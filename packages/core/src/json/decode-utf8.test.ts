import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUtf8, validUtf8Length } from './decode-utf8.ts';

const interesting = fc.constantFrom(
  ...[
    0x00, 0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
    0xee, 0xef,
  ],
  ...[0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff],
);

test('the valid beginning is the longest that can be decoded', () => {
  fc.assert(
    fc.property(fc.array(interesting, { maxLength: 12 }), (values) => {
      const bytes = Uint8Array.from(values);
      let longest = 0;
      for (let length = 0; length <= bytes.length; length++) {
        if (decodeUtf8(bytes.subarray(0, length)) !== undefined) longest = length;
      }
      expect(validUtf8Length(bytes)).toBe(longest);
    }),
    { numRuns: 3_000 },
  );
});

test('a byte order mark stays in the text', () => {
  expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toBe('\ufeff1');
});
