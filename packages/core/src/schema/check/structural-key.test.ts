import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../json/json-value.ts';
import { deepEqual } from './deep-equal.ts';
import { structuralKey } from './structural-key.ts';

const small = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<JsonValue>(null, true, false, 0, -0, 1, '', 'a', '1', '[', 'null', '"'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
})).value;

test('two values have the same key exactly when they are equal', () => {
  fc.assert(
    fc.property(small, small, (left, right) => {
      expect(structuralKey(left) === structuralKey(right)).toBe(deepEqual(left, right));
    }),
    { numRuns: 2_000 },
  );
});

test.each<[string, JsonValue, JsonValue, boolean]>([
  ['member order is nothing', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['1 is 1.0', 1, 1.0, true],
  ['0 is -0', [0], [-0], true],
  ['1 is not true', 1, true, false],
  ['"1" is not 1', ['1'], [1], false],
  ['an array is not an object', [], {}, false],
  ['null is not an absent member', { a: null }, {}, false],
  ['an inherited name is not a member', {}, { toString: null }, false],
])('%s', (_name, left, right, equal) => {
  expect(deepEqual(left, right)).toBe(equal);
  expect(structuralKey(left) === structuralKey(right)).toBe(equal);
});
