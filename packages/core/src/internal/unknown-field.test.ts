import { expect, test } from 'vitest';
import { unknownField } from './unknown-field.ts';

test('the first field that is not known is found, and nothing that an object merely inherits', () => {
  expect(unknownField({ a: 1, c: 2, d: 3 }, ['a', 'b'])).toBe('c');
  expect(unknownField({ a: undefined }, ['a', 'b'])).toBeUndefined();
  expect(unknownField(Object.create({ c: 1 }) as object, ['a'])).toBeUndefined();
  expect(unknownField({ toString: 1 }, ['a'])).toBe('toString');
});
