import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayLookAlike, revealAll, revealText } from './reveal-text.ts';

describe('foreign text for somebody who judges it', () => {
  test.each([
    ['plain text', 'Send it.\n\tNow!', 'Send it.\n\tNow!'],
    ['text of one other alphabet', 'größe 天気 Отправить', 'größe 天気 Отправить'],
    ['a picture', 'go 🚀', 'go 🚀'],
    ['a letter of another alphabet in a word', 're\u0430d', 're\\u{430}d'],
    ['Greek in Latin', 'c\u03bfpy', 'c\\u{3bf}py'],
    ['letters in another width', '\uff52ead', '\\u{ff52}ead'],
    ['letters for formulas', '\u{1d42b}ead', '\\u{1d42b}ead'],
    ['a carriage return', 'a\rb', 'a\\u{d}b'],
    ['what is drawn as nothing', 'a\u115fb\u{e0100}c', 'a\\u{115f}b\\u{e0100}c'],
    ['half of a pair', 'a\ud800', 'a\ufffd'],
  ])('%s', (_what, text, shown) => {
    expect(revealText(text)).toBe(shown);
  });

  test('nothing unseen stays in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(revealText(text).replace(/[\n\t ]/gu, '')).not.toMatch(
          /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u,
        );
        expect(revealAll(text)).toMatch(/^[\n\t\x20-\x7e]*$/u);
      }),
    );
  });
});

test.each([
  ['an', '\u0430n', true],
  ['an', 'an', false],
  ['an', 'on', false],
  ['an', '\u0430', false],
  ['', '', false],
])('"%s" and "%s" may look alike: %s', (left, right, expected) => {
  expect(mayLookAlike(left, right)).toBe(expected);
});
