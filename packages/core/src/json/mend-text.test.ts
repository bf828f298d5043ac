import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mendText } from './mend-text.ts';

test.each([
  ['', '', 0],
  ['whole 😀', 'whole 😀', 0],
  ['\ufffd', '\ufffd', 0],
  ['ok \ud83d', 'ok \ufffd', 1],
  ['\ude00\ud83d', '\ufffd\ufffd', 2],
  ['\ud83d\ud83d\ude00', '\ufffd😀', 1],
])('%j becomes %j, %i replaced', (given, text, count) => {
  expect(mendText(given)).toEqual({ text, count });
});

test('what is mended is well-formed, as long as before, and different in as many units as were counted', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.integer({ min: 0xd800, max: 0xdfff })),
      (start, halves) => {
        const given = start + String.fromCharCode(...halves);
        const { text, count } = mendText(given);
        expect(text.isWellFormed()).toBe(true);
        expect(text).toHaveLength(given.length);
        expect([...Array(given.length).keys()].filter((at) => text[at] !== given[at])).toHaveLength(count);
      },
    ),
  );
});
