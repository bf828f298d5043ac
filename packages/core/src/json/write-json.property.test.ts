import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError } from './json-error.ts';
import { readJson } from './read-json.ts';
import { writeJson } from './write-json.ts';

/** JSON values with any text that may be written, whatever its characters and names. */
const anyJson = fc.jsonValue({ stringUnit: 'binary' });

test('any JSON value is written as JSON.stringify does and read back the same', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = writeJson(value);
      expect(text).toBe(JSON.stringify(value));
      const read = readJson(text, {
        noncharacters: 'allow',
        forbiddenMembers: 'allow',
        inexactIntegers: 'allow',
      });
      expect(read).toStrictEqual(JSON.parse(text));
    }),
    { numRuns: 1_000 },
  );
});

test('any value at all is written or refused by name, and what is written can be read', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  });
  let written = 0;
  fc.assert(
    fc.property(anything, (value) => {
      try {
        const text = writeJson(value);
        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value) ?? 'null'));
        written++;
      } catch (error) {
        if (!JsonError.is(error)) throw error;
        expect(error.code).toMatch(/^json\/(?:unsupported-value|lone-surrogate|getter-failed|too-deep)$/);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(written).toBeGreaterThan(200);
});
