import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { keepIntegers } from './exact-integers.ts';

const answer = (structured: string): string =>
  `{"id":1,"result":{"content":[],"structuredContent":${structured}}}`;

test.each([
  ['1915883588174806058', '"1915883588174806058"'],
  ['{"id":9007199254740993}', '{"id":"9007199254740993"}'],
  ['{"id":-9007199254740993}', '{"id":"-9007199254740993"}'],
  ['[[1,18446744073709551615]]', '[[1,"18446744073709551615"]]'],
  [
    '{"a\\\\":"\\"9007199254740993","b" : 9007199254740993}',
    '{"a\\\\":"\\"9007199254740993","b" : "9007199254740993"}',
  ],
])('an integer that a double would change is a text of the same digits: %s', (said, kept) => {
  expect(keepIntegers(answer(said))).toBe(answer(kept));
  expect(keepIntegers(`[${answer(said)}, ${answer('1')}]`)).toBe(`[${answer(kept)}, ${answer('1')}]`);
});

test.each([
  ['one that a double holds', answer('9007199254740992')],
  ['one that prints as it was written', answer('10000000000000000000')],
  ['a fraction', answer('0.12345678901234567890')],
  ['one in a text', answer('"9007199254740993"')],
  ['one in a name', answer('{"9007199254740993":1}')],
  ['one that is larger than any double', answer('1'.repeat(400))],
  ['one in the metadata', '{"id":1,"result":{"structuredContent":{},"_meta":{"a":9007199254740993}}}'],
  ['one in a schema', '{"id":1,"result":{"tools":[{"structuredContent":{"maximum":18446744073709551615}}]}}'],
  ['one of what a server says unasked', '{"params":{"structuredContent":9007199254740993}}'],
  ['no object', '9007199254740993'],
])('nothing else is touched: %s', (_what, text) => {
  expect(keepIntegers(text)).toBe(text);
});

test('whatever a server says stays the same JSON, but for the digits', () => {
  const scalar = fc.oneof(fc.string(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
  const digits = fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), scalar, digits)), (members) => {
      const write = (quote: string): string => {
        const written = members.map(([name, value, integer], index) => {
          const isExact = BigInt(Number(integer)) === integer || String(Number(integer)) === String(integer);
          const number = isExact ? String(integer) : `${quote}${integer}${quote}`;
          return `${JSON.stringify(`${index}${name}`)}:[${JSON.stringify(value)},{"n":${number}}]`;
        });
        return answer(`{${written.join(',')}}`);
      };
      expect(keepIntegers(write(''))).toBe(write('"'));
    }),
  );
});

test('a text made to be slow is looked at in linear time', () => {
  const read = (size: number): void => {
    const deep = `${'['.repeat(size)}9007199254740993${']'.repeat(size)}`;
    expect(keepIntegers(answer(`{"a":"${'\\\\'.repeat(size * 5)}","b":${deep}}`))).toContain(
      '"9007199254740993"',
    );
  };
  expect(growth(read, 10_000)).toBeLessThan(GROWTH * 4);
});
