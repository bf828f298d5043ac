import { expect, test } from 'vitest';
import { isCallId } from './call-id.ts';

test.each([
  ['what OpenAI sends', 'call_9nL3wQbT'],
  ['what Anthropic sends', 'toolu_01A09q90qw90lq917835lq9'],
  ['one character', '0'],
  ['inner blanks', 'a b'],
  ['another script', '\u547c\u53eb-1'],
  ['an emoji', '\u{1f600}'],
  ['256 bytes', 'x'.repeat(256)],
  ['256 bytes of two-byte letters', '\u00e9'.repeat(128)],
])('%s is an id', (_, id) => {
  expect(isCallId(id)).toBe(true);
});

test.each([
  ['empty', ''],
  ['blank', '   '],
  ['blank of another kind', '\u2003'],
  ['257 bytes', 'x'.repeat(257)],
  ['257 bytes of two-byte letters', `${'\u00e9'.repeat(128)}x`],
  ['260 bytes of emoji', '\u{1f600}'.repeat(65)],
  ['a newline', 'a\nb'],
  ['a delete character', 'a\u007f'],
  ['a C1 control', 'a\u0085'],
  ['a line separator', 'a\u2028b'],
  ['a lone surrogate', 'a\ud800'],
  ['nothing', undefined],
  ['null', null],
  ['a number', 1],
  ['an object that prints as an id', { toString: () => 'call_1' }],
])('%s is no id', (_, id) => {
  expect(isCallId(id)).toBe(false);
});
