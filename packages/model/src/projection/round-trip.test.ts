import { compileSchema, type JsonObject, type JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { instanceOf, plainSchema } from '../../test-support/plain-schemas.ts';
import { projectSchema } from './project-schema.ts';
import { SCHEMA_PROFILES, type SchemaTarget } from './schema-profiles.ts';

const TARGETS = Object.keys(SCHEMA_PROFILES) as SchemaTarget[];

function answers(numbers: readonly number[]): (bound: number) => number {
  let next = 0;
  return (bound) => {
    const answer = numbers[next % Math.max(numbers.length, 1)] ?? 0;
    next += 1;
    return answer % bound;
  };
}

const choices = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 30 });

describe.each(TARGETS)('%s', (target) => {
  test('what a model writes for the projected schema is, restored, what the contract accepts', () => {
    fc.assert(
      fc.property(plainSchema, choices, (schema, numbers) => {
        const projection = projectSchema(schema, target, { recursionDepth: 8 });
        expect(projection.fit).not.toBe('unfit');
        const written = instanceOf(projection.schema, projection.schema, answers(numbers));
        const contract = compileSchema(schema);
        expect(contract.explain(projection.restore(written))).toEqual([]);
      }),
      propertyRuns(80),
    );
  });

  test('the least that the projected schema demands is enough for the contract', () => {
    fc.assert(
      fc.property(plainSchema, (schema) => {
        const projection = projectSchema(schema, target);
        const written = instanceOf(projection.schema, projection.schema, () => 0);
        expect(compileSchema(schema).check(projection.restore(written))).toBe(true);
      }),
      propertyRuns(60),
    );
  });
});

test('a projected schema is itself a schema that compiles', () => {
  fc.assert(
    fc.property(
      plainSchema,
      fc.constantFrom(...TARGETS.filter((target) => target !== 'gemini')),
      (schema, target) => {
        const { schema: projected } = projectSchema(schema, target);
        expect(() => compileSchema(projected)).not.toThrow();
      },
    ),
    propertyRuns(60),
  );
});

describe('a value that the strict form does not tell apart from absence', () => {
  const cases: readonly [string, JsonObject, JsonValue, boolean][] = [
    ['null for an optional text', { type: 'string' }, null, true],
    ['null for an optional text that may be null', { type: ['string', 'null'] }, null, true],
    ['a wrong value stays wrong', { type: 'string' }, 5, false],
  ];

  test.each(cases)('%s', (_, member, value, accepted) => {
    const schema: JsonObject = { type: 'object', properties: { p: member }, additionalProperties: false };
    const { restore } = projectSchema(schema, 'openai-strict');
    expect(compileSchema(schema).check(restore({ p: value }))).toBe(accepted);
  });

  test('arguments that only the projection accepts are refused by the original', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { minutes: { type: 'integer', enum: [60, 1440] } },
      required: ['minutes'],
    };
    const { schema: projected, restore } = projectSchema(schema, 'gemini');
    expect(JSON.stringify(projected)).not.toContain('"enum"');
    expect(compileSchema(schema).check(restore({ minutes: 61 }))).toBe(false);
    expect(compileSchema(schema).check(restore({ minutes: 60 }))).toBe(true);
  });
});
