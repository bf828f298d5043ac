import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isExactInteger } from './exact-integer.ts';

test.each([
  ['0'],
  ['-0'],
  ['9007199254740991'],
  ['-9007199254740992'],
  ['18446744073709551616'],
  ['1e23'],
  ['100000000000000000000000'],
  [`1${'0'.repeat(308)}`],
  ['6.02214076E+23'],
  ['1.7976931348623157e308'],
  ['3.141592653589793238462643383279'],
  ['9007199254740993.5'],
  ['123456789012345678901234567890e-10'],
  ['0.000000000000000000e999999'],
  ['0.0000000000000000001234567890123456789e19'],
  ['1e-400'],
  [`1${'0'.repeat(400)}e-400`],
  [`0.${'0'.repeat(400)}1e401`],
])('%s survives as a double', (token) => {
  expect(isExactInteger(token)).toBe(true);
});

test.each([
  ['9007199254740993'],
  ['-9007199254740993'],
  ['9007199254740993.0'],
  ['9007199254740993.000e0'],
  ['90071992547409930E-1'],
  ['9.007199254740993e+15'],
  ['1186371943123456789'],
  ['18446744073709551615'],
  ['123123123123123123123123123123'],
])('%s would be rounded', (token) => {
  expect(isExactInteger(token)).toBe(false);
});

test('an integer in plain digits survives exactly if its double is it or prints as it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.nat({ max: 3 }), (integer, zeros) => {
      const kept = BigInt(Number(integer)) === integer || BigInt(toDigits(Number(integer))) === integer;
      expect(isExactInteger(String(integer))).toBe(kept);
      expect(isExactInteger(`${integer}.${'0'.repeat(zeros + 1)}`)).toBe(kept);
      expect(isExactInteger(`${integer}${'0'.repeat(zeros)}e-${zeros}`)).toBe(kept);
    }),
    { numRuns: 2_000 },
  );
});

/** What a double prints as, without its exponent. */
function toDigits(value: number): string {
  const [mantissa = '', power] = String(value).split('e+');
  if (power === undefined) return mantissa;
  const [whole = '', fraction = ''] = mantissa.split('.');
  return `${whole}${fraction.padEnd(Number(power), '0')}`;
}

test('whatever a double prints as survives', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(isExactInteger(String(value))).toBe(true);
      expect(isExactInteger(value.toExponential())).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
