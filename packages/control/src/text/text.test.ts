import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';
import { exceedsBytes } from './exceeds-bytes.ts';
import { TextPieces } from './text-pieces.ts';
import { utf8Length } from './utf8-length.ts';

const encoder = new TextEncoder();
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'é', '€', '\u{1F600}', '\ud800') }),
);

test('bytes are counted as an encoder writes them', () => {
  fc.assert(
    fc.property(text, fc.nat({ max: 40 }), (given, bound) => {
      const bytes = encoder.encode(given).length;
      expect(utf8Length(given)).toBe(bytes);
      expect(exceedsBytes(given, bound)).toBe(bytes > bound);
    }),
  );
});

test('a cut text is the longest beginning of whole characters that fits', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '€', '\u{1F600}') }),
      fc.nat({ max: 40 }),
      (given, bound) => {
        const cut = cutText(given, bound);
        expect(given.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
        const [next = ''] = given.slice(cut.length);
        const more = cut + (given.slice(cut.length).match(/^./su)?.[0] ?? next);
        expect(encoder.encode(cut).length).toBeLessThanOrEqual(bound);
        if (cut !== given) expect(encoder.encode(more).length).toBeGreaterThan(bound);
      },
    ),
  );
});

test('a text that is malformed is cut all the same', () => {
  expect(cutText('\ud800\ud800\ud800', 7)).toBe('\ud800\ud800');
});

test('no more of a long text is looked at than may stay', () => {
  expect(cutText('x'.repeat(50_000_000), 10)).toBe('xxxxxxxxxx');
  expect(exceedsBytes('x'.repeat(50_000_000), 10)).toBe(true);
});

test('pieces are one text, whenever it is asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean()), { maxLength: 300 }), (pieces) => {
      const whole = new TextPieces();
      let expected = '';
      for (const [piece, asks] of pieces) {
        whole.add(piece);
        expected += piece;
        if (asks) expect(whole.text).toBe(expected);
      }
      expect(whole.text).toBe(expected);
    }),
  );
});
