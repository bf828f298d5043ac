import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

const values = fc.constantFrom<JsonValue>(
  ...[
    null,
    true,
    false,
    0,
    -0,
    1,
    2,
    3,
    2.5,
    -7,
    1e21,
    '',
    'a',
    'ab',
    'abc',
    '😀',
    '😀😀',
    '😀😀😀😀',
    [],
    [1],
    ['a'],
    ['a', 'b', 'c'],
    ['a', 1],
    {},
    { a: 1 },
  ],
);
const limits = fc.integer({ min: -1, max: 3 });
const counts = fc.nat(4);
const types = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'integer', 'string');

/** Schemas small enough to be tested in the loops, and some that just are not. */
const smallSchemas: fc.Arbitrary<JsonObject | boolean> = fc.oneof(
  fc.boolean(),
  fc.record({ type: types, title: fc.constant('x') }, { requiredKeys: [] }),
  fc.record({ type: fc.uniqueArray(types, { minLength: 1, maxLength: 3 }) }),
  fc.record(
    { type: fc.constant('string'), minLength: counts, maxLength: counts },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    { type: fc.constantFrom('integer', 'number'), minimum: limits, maximum: limits },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      exclusiveMinimum: limits,
      multipleOf: fc.constantFrom(1, 2, 0.5),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    { type: types, enum: fc.uniqueArray(values, { maxLength: 4 }), const: values },
    { requiredKeys: ['enum'] },
  ),
  fc.record({ anyOf: fc.array(fc.record({ type: types }), { minLength: 1, maxLength: 3 }) }),
  fc.record({ minimum: limits, minLength: counts }, { requiredKeys: [] }),
  fc.record(
    {
      type: fc.constantFrom('array', 'string'),
      items: fc.constantFrom<JsonValue>(true, { type: 'string' }, { type: ['string', 'number'] }),
      minItems: counts,
      maxItems: counts,
    },
    { requiredKeys: ['type'] },
  ),
);

/** Answers in the places that test without a call, and in those that go through the closure. */
function verdicts(schema: JsonObject | boolean, value: JsonValue): readonly boolean[] {
  return [
    compileSchema(schema).check(value),
    compileSchema({ items: schema }).check([value, value]),
    compileSchema({ type: 'object', properties: { a: schema }, additionalProperties: false }).check({
      a: value,
    }),
    compileSchema({ required: ['a'], properties: { b: true, a: schema } }).check({ z: 1, a: value }),
    compileSchema({ patternProperties: { '^a': schema } }).check({ a: value }),
    compileSchema({ additionalProperties: schema }).check({ a: value }),
    compileSchema({ prefixItems: [schema] }).check([value]),
    compileSchema({ allOf: [schema, true] }).check(value),
    compileSchema({ not: { not: schema } }).check(value),
    compileSchema({ $ref: '#/$defs/s', $defs: { s: schema } }).check(value),
    compileSchema({ contains: schema }).check([value]),
    !compileSchema({ not: { anyOf: [schema, false] } }).check(value),
    compileSchema({ allOf: [schema], unevaluatedItems: true, unevaluatedProperties: true }).check(value),
  ];
}

test('a subschema gives the same verdict wherever it stands', () => {
  fc.assert(
    fc.property(smallSchemas, values, (schema, value) => {
      const [first, ...others] = verdicts(schema, value);
      expect(others).toEqual(others.map(() => first));
    }),
    { numRuns: 600 },
  );
});

test('members in any order, known and unknown, give the same verdict', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd', '1', '__proto__');
  const members = fc.uniqueArray(fc.tuple(names, fc.constantFrom<JsonValue>(1, 'x')), {
    selector: ([name]) => name,
    maxLength: 5,
  });
  const schema = {
    properties: { a: { type: 'integer' }, b: { type: 'string' }, c: true, '1': { const: 1 } },
    required: ['b', 'd'],
  };
  const open = compileSchema(schema);
  const expected = (list: readonly (readonly [string, JsonValue])[]): boolean => {
    const found = new Map(list);
    const one = found.get('1');
    return (
      typeof (found.get('a') ?? 1) === 'number' &&
      typeof found.get('b') === 'string' &&
      found.has('d') &&
      (one ?? 1) === 1
    );
  };
  fc.assert(
    fc.property(members, (list) => {
      expect(open.check(Object.fromEntries(list))).toBe(expected(list));
      expect(open.check(Object.fromEntries(list.toReversed()))).toBe(expected(list));
    }),
    { numRuns: 500 },
  );
});

test('a polluted prototype changes no verdict', () => {
  const member = fc.constantFrom('a', 'b', 'role');
  const object = fc.dictionary(member, fc.constantFrom<JsonValue>(1, 'x'), { noNullPrototype: true });
  const shape = fc.record(
    {
      properties: fc.dictionary(member, fc.constantFrom<JsonValue>(true, false, { type: 'string' }), {
        noNullPrototype: true,
      }),
      required: fc.uniqueArray(member),
      additionalProperties: fc.constantFrom<JsonValue>(true, false, { type: 'integer' }),
      maxProperties: fc.nat(3),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(shape, object, (written, value) => {
      const schema = compileSchema(written);
      const before = schema.check(value);
      let during: boolean;
      try {
        Object.defineProperty(Object.prototype, 'role', {
          value: 'admin',
          configurable: true,
          enumerable: true,
          writable: true,
        });
        during = schema.check(value);
      } finally {
        Reflect.deleteProperty(Object.prototype, 'role');
      }
      expect(during).toBe(before);
    }),
  );
});
