import fc from 'fast-check';
import { expect, test } from 'vitest';
import { multipleOf } from './multiple-of.ts';

test.each([
  [0.3, 0.1, true],
  [1.1, 0.1, true],
  [0.35, 0.1, false],
  [0.0075, 0.0001, true],
  [0.00751, 0.0001, false],
  [19.99, 0.01, true],
  [1.005, 0.01, false],
  [4.35, 0.05, true],
  [9007199254740991, 3, false],
  [9007199254740990, 3, true],
  [1e308, 0.5, true],
  [1e308, 0.123456789, false],
  [5e-324, 5e-324, true],
  [1e-7, 0.5, false],
  [0, 0.1, true],
  [-0, 7, true],
  [-4.5, 1.5, true],
  [12, 5, false],
  [1e21, 1e20, true],
  [1.5e21, 1e21, false],
  [2.5, 2.5e-20, true],
])('%d is held to be a multiple of %d: %s', (value, divisor, expected) => {
  expect(multipleOf(divisor)(value)).toBe(expected);
});

test('a product of decimals is always a multiple of each factor', () => {
  const decimal = fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 6 }));
  fc.assert(
    fc.property(decimal, fc.integer({ min: -9_999, max: 9_999 }), ([digits, places], times) => {
      const divisor = Number(`${digits}e-${places}`);
      const product = Number(`${BigInt(digits) * BigInt(times)}e-${places}`);
      expect(multipleOf(divisor)(product)).toBe(true);
    }),
  );
});

test('what is left over by exact division is never a multiple', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9_999 }), fc.nat(99_999), fc.nat(5), (digits, other, places) => {
      const divisor = Number(`${digits}e-${places}`);
      expect(multipleOf(divisor)(Number(`${other}e-${places}`))).toBe(other % digits === 0);
    }),
  );
});
