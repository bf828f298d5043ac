import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendPointer, joinPointer } from './json-pointer.ts';

test.each([
  ['', 'a', '/a'],
  ['/a', '', '/a/'],
  ['', 'a/b', '/a~1b'],
  ['', 'm~n', '/m~0n'],
  ['', '~1', '/~01'],
  ['/x', 0, '/x/0'],
  ['', ' ', '/ '],
])('%j and %j make %j', (pointer, token, joined) => {
  expect(appendPointer(pointer, token)).toBe(joined);
});

test('the tokens can be read back from a pointer', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a') })), (tokens) => {
      const read = joinPointer(tokens).split('/').slice(1);
      expect(read.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))).toStrictEqual(tokens);
    }),
  );
});
