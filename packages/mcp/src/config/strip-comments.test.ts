import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripComments } from './strip-comments.ts';

test.each([
  ['a line comment', '{} // {', '{}     '],
  ['a line comment before a line break', '// a\r\n{}', '    \r\n{}'],
  ['a block comment of two lines', '{/* a\n* b **/}', '{    \n       }'],
  ['a trailing comma in a list', '[1,2,]', '[1,2 ]'],
  ['a trailing comma before a comment', '{"a":1, // x\n}', '{"a":1      \n}'],
  ['what looks like a comment in a string', '{"u":"http://x/*y*/,]"}', '{"u":"http://x/*y*/,]"}'],
  ['an escaped quote', String.raw`{"a":"\"// x",}`, String.raw`{"a":"\"// x" }`],
  ['a backslash at the end of a string', String.raw`["\\",// x`, String.raw`["\\",    `],
  ['a comment that does not end', '{} /* x', '{} /* x'],
  ['a slash alone', '{/}', '{/}'],
  ['a comma that is missing its value', '[,]', '[ ]'],
  ['two commas', '[1,,]', '[1, ]'],
  ['a string that does not end', '"abc // x', '"abc // x'],
])('%s', (_what, given, plain) => {
  expect(stripComments(given)).toBe(plain);
});

test('plain JSON stays as it is, and no character moves', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, undefined, 2);
      expect(stripComments(text)).toBe(text);
    }),
  );
  const piece = fc.constantFrom(
    '/',
    '*',
    '"',
    '\\',
    ',',
    ']',
    '}',
    '{',
    '[',
    '\n',
    '\r',
    ' ',
    'a',
    '//',
    '/*',
    '*/',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const plain = stripComments(text);
      expect(plain).toHaveLength(text.length);
      for (let index = 0; index < text.length; index += 1) {
        expect([' ', text.charAt(index)]).toContain(plain.charAt(index));
      }
    }),
  );
});

test('ends soon for texts that are made to take long', () => {
  for (const piece of ['//\n', '/*', '"\\"', ', ', '/**/', '"']) {
    expect(stripComments(piece.repeat(300_000))).toHaveLength(300_000 * piece.length);
  }
});
