import type { JsonObject, JsonValue } from '@toolgate/core';
import fc from 'fast-check';

const memberName = fc.constantFrom(
  'a',
  'b',
  'kind',
  '$top',
  'filter[id]',
  'x y',
  '',
  '__proto__',
  'naïve',
  'a'.repeat(70),
);
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];
const reference = fc.constantFrom('#', '#/$defs/D', '#/$defs/E', '#/properties/a', '#anchor');

/** Any JSON Schema, with everything that real servers write and some that only attackers do. References resolve. */
export const anySchema: fc.Arbitrary<JsonObject> = fc
  .tuple(schemaOf(2), schemaOf(1), schemaOf(1), fc.constantFrom('oneOf', 'anyOf', 'allOf', undefined))
  .map(([root, first, second, combinator]) => ({
    ...root,
    type: 'object',
    properties: { a: { type: 'object', $anchor: 'anchor' }, ...asObject(root['properties']) },
    ...(combinator === undefined ? {} : { [combinator]: [{ required: ['a'] }, first] }),
    $defs: { D: first, E: second },
  }));

function schemaOf(depth: number): fc.Arbitrary<JsonObject> {
  const leaf = fc.record(
    {
      type: fc.oneof(
        fc.constantFrom(...TYPES),
        fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
      ),
      title: fc.constant('Title'),
      description: fc.constant('Words.'),
      default: fc.constantFrom<JsonValue>(null, 1, 'x'),
      enum: fc.array(fc.constantFrom<JsonValue>('a', 'b', '', 1, 2.5, true, null, { x: 1 }), {
        maxLength: 3,
      }),
      const: fc.constantFrom<JsonValue>('a', 3, null, false),
      format: fc.constantFrom('uri', 'date-time', 'email', 'x-own'),
      pattern: fc.constant('^[a-z]+$'),
      minLength: fc.nat(5),
      minimum: fc.nat(5),
      exclusiveMinimum: fc.oneof(fc.nat(5), fc.boolean()),
      multipleOf: fc.constant(2),
      minItems: fc.nat(5),
      uniqueItems: fc.boolean(),
      'x-own': fc.constant(true),
      nullable: fc.boolean(),
      required: fc.oneof(fc.array(memberName, { maxLength: 3 }), fc.constant(true)),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
  if (depth === 0) return leaf;
  const inner = fc.oneof(
    { depthSize: 'small' },
    schemaOf(depth - 1),
    fc.boolean(),
    fc.record({ $ref: reference }),
  );
  const nested = fc.record(
    {
      properties: fc.dictionary(memberName, inner, { maxKeys: 3 }),
      additionalProperties: inner,
      items: fc.oneof(inner, fc.array(inner, { maxLength: 2 })),
      prefixItems: fc.array(inner, { maxLength: 2 }),
      anyOf: fc.array(inner, { maxLength: 3 }),
      oneOf: fc.array(inner, { maxLength: 2 }),
      allOf: fc.array(inner, { maxLength: 2 }),
      not: inner,
      $ref: reference,
      patternProperties: fc.dictionary(fc.constant('^x'), inner, { maxKeys: 1 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
  return fc.tuple(leaf, nested).map(([own, rest]) => ({ ...own, ...rest }));
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
