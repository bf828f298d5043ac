import { expect, test } from 'vitest';
import { screen } from './screen.ts';

const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"n${index}":0`).join(',');
const long = (end: string): string => `["${'a'.repeat(200)}${end}"]`;

test.each([
  ['an ordinary object', '{"a":[1,-2.5,"x"],"b":{"a":null}}'],
  ['escapes in values', '["\\"\\\\\\n\\u00e9\\ud83d\\ude00\\uff01"]'],
  ['text beyond ASCII', '{"größe":"値段😀"}'],
  ['a long string with escapes', long('\\n\\"\\u0061')],
  ['a printed double', '[0.30000000000000004,1.2345678901234567e-7,1e10]'],
  ['16 digits below 9e15', '[1700000000000000]'],
  ['64 names', `{${names(64)}}`],
  ['256 levels', `${'['.repeat(256)}${']'.repeat(256)}`],
  ['a text that is not JSON at all', 'nope'],
  ['a string that does not end', '["abc\\'],
])('%s is clean', (_, text) => {
  expect(screen(text, 1_000)).toBe(true);
});

test.each([
  ['a name twice', '{"a":1,"a":2}'],
  ['an escaped name', '{"\\u0061":1}'],
  ['a name that begins a prototype', '{"__proto__":1}'],
  ['a name that may end one', '{"prototype":1}'],
  ['a raw half of a pair', '["\ud800"]'],
  ['an escaped half of a pair', '["\\ud800"]'],
  ['a high half before a plain escape', '["\\ud83d\\n"]'],
  ['two high halves', '["\\ud83d\\ud83d"]'],
  ['a broken escape', '["\\u00zz"]'],
  ['an escaped half late in a long string', long('\\ud800')],
  ['an escaped half after an escaped backslash', long('\\\\\\ud800')],
  ['an escaped noncharacter', '["\\uffff"]'],
  ['an escaped noncharacter beyond the first plane', '["\\ud83f\\udffe"]'],
  ['a raw noncharacter', '["\ufdd0"]'],
  ['a raw noncharacter beyond the first plane', '["\u{1fffe}"]'],
  ['a replacement character', '["\ufffd"]'],
  ['a name of high characters', '{"\uff01":1}'],
  ['an overflow', '[1e400]'],
  ['an endless number', `[${'9'.repeat(400)}.5]`],
  ['an inexact integer', '[9007199254740993]'],
  ['an inexact integer with a zero fraction', '[1234567890123456789.0]'],
  ['an inexact integer with an exponent', '[1.2345678901234567890123e20]'],
  ['65 names', `{${names(65)}}`],
  ['257 levels', `${'['.repeat(257)}${']'.repeat(257)}`],
  ['a bracket too many', '[]]'],
  ['an open long string', `["${'a'.repeat(200)}`],
])('%s is doubtful', (_, text) => {
  expect(screen(text, 1_000)).toBe(false);
});

test('the limit counts where it is lower than what the scan follows', () => {
  expect(screen('[[1]]', 2)).toBe(true);
  expect(screen('[[1]]', 1)).toBe(false);
  expect(screen('1', 0)).toBe(true);
});

test('texts of all lengths around the buffers are screened whole', () => {
  for (const length of [1, 65_500, 65_530, 65_540, 200_000, 9_000_000]) {
    for (const character of ['a', 'é', '€', '😀']) {
      const body = character.repeat(Math.floor(length / character.length));
      expect(screen(`["${body}"]`, 1)).toBe(true);
      expect(screen(`["${body}\\ud800"]`, 1)).toBe(false);
    }
  }
});
