import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { report } from '../../../../test/support/suites.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { compileSchema } from './compile-schema.ts';

// Not `toString` and its kin: on those the other one fails.
const names = fc.constantFrom('a', 'b', 'c', 'd', 'ab', 'é');
const scalars: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0,
    1,
    2,
    3,
    -1,
    1.5,
    10,
    '',
    'a',
    'b',
    'ab',
    '😀',
    '😀a',
    '1',
  ),
  fc.integer({ min: -4, max: 12 }),
);
const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
const counts = fc.integer({ min: 0, max: 3 });
const types = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'integer', 'string');
const definitions = fc.constantFrom('#/$defs/one', '#/$defs/two', '#/$defs/three');

/** Schemas that lean on applicators, since scalars alone are soon tried out. */
const { schema: schemas } = fc.letrec<{ schema: JsonObject | boolean }>((tie) => {
  const below = tie('schema');
  const list = fc.array(below, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(names, below, { maxKeys: 3, noNullPrototype: true });
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
          minimum: fc.integer({ min: -2, max: 5 }),
          exclusiveMaximum: fc.integer({ min: 0, max: 8 }),
          minLength: counts,
          maxLength: counts,
          pattern: fc.constantFrom('^a', 'b$', '^.$', '[0-9]'),
          required: fc.uniqueArray(names, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: types,
          properties: map,
          required: fc.uniqueArray(names, { maxLength: 2 }),
          additionalProperties: below,
          patternProperties: fc.dictionary(fc.constantFrom('^[ab]', 't', '^.$'), below, {
            maxKeys: 2,
            noNullPrototype: true,
          }),
          propertyNames: fc.record({ maxLength: counts }),
          minProperties: counts,
          maxProperties: counts,
          dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
            maxKeys: 2,
            noNullPrototype: true,
          }),
          dependentSchemas: map,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          prefixItems: list,
          items: below,
          minItems: counts,
          maxItems: counts,
          uniqueItems: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          allOf: list,
          anyOf: list,
          oneOf: list,
          not: below,
          if: below,
          then: below,
          else: below,
          $ref: definitions,
        },
        { requiredKeys: [] },
      ),
      // Apart from `prefixItems`, beside which the other one takes an empty array.
      fc.record(
        { contains: below, items: below, minContains: counts, maxContains: counts },
        { requiredKeys: ['contains'] },
      ),
      // Apart from `if`, whose marks the other one keeps when it fails.
      fc.record({ allOf: list, anyOf: list, unevaluatedProperties: below }, { requiredKeys: ['allOf'] }),
      fc.record({ multipleOf: fc.integer({ min: 1, max: 4 }), maximum: fc.integer({ min: 0, max: 9 }) }),
      fc.record({ enum: fc.uniqueArray(values, { minLength: 1, maxLength: 4 }) }),
      fc.record({ const: values }),
      fc.record({ $ref: definitions }),
    ),
  };
});
const documents = fc.record({ root: schemas, one: schemas, two: schemas, three: schemas }).map(
  ({ root, one, two, three }): JsonObject => ({
    allOf: [root],
    $defs: {
      one,
      two: { type: 'object', properties: { a: two } },
      three: { items: three, type: ['array', 'string'] },
    },
  }),
);

/** The other one's verdict. It makes wrong code for some nested `not`; where that throws there is nothing to compare. */
function peer(schema: JsonObject): ((value: JsonValue) => boolean | undefined) | undefined {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateFormats: false, logger: false });
  try {
    const validate = ajv.compile(schema);
    return (value) => {
      try {
        return validate(value) === true;
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}

test('verdicts agree with another implementation on generated schemas and values', () => {
  let compared = 0;
  fc.assert(
    fc.property(documents, fc.array(values, { minLength: 12, maxLength: 12 }), (schema, samples) => {
      let ours: ReturnType<typeof compileSchema>;
      try {
        ours = compileSchema(schema);
      } catch (error) {
        expect(error).toMatchObject({ name: 'SchemaError', code: 'schema/reference-loop' });
        return;
      }
      const theirs = peer(schema);
      if (theirs === undefined) return;
      for (const value of samples) {
        const before = JSON.stringify(value);
        const verdict = ours.check(value);
        expect({ value, verdict }).toEqual({ value, verdict: theirs(value) ?? verdict });
        expect({ value, explained: ours.explain(value).length === 0 }).toEqual({ value, explained: verdict });
        expect(JSON.stringify(value)).toBe(before);
        compared += 1;
      }
    }),
    { numRuns: Number(process.env['TOOLGATE_FUZZ_RUNS'] ?? 120) },
  );
  report(`Differential to another implementation: ${compared} verdicts agree`);
  expect(compared).toBeGreaterThan(300);
}, 300_000);
