import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';
import type { SchemaTrust } from '../schema.ts';

const ajv = new Ajv2020({ strict: false });
/** Schemas of tools as a provider looks at them, which refuses all tools of a request for one that is none. */
const isSchema = (json: unknown): boolean => ajv.validateSchema(json as JsonObject) === true;

const take = (schema: JsonObject, trust: SchemaTrust) => {
  const { json, intake } = compileSchema(schema, { trust });
  return { json, notes: intake.notes.map(({ kind, pointer }) => `${kind} ${pointer}`) };
};
const trusts: readonly SchemaTrust[] = ['own', 'foreign'];

describe('a schema whose meta-schema is looked at', () => {
  const text = { type: 'string' };
  const cases: readonly (readonly [string, JsonObject, JsonObject, string])[] = [
    ['an example that is no list', { ...text, examples: 'x' }, { ...text, examples: ['x'] }, '/examples'],
    ['examples by name', { examples: { a: 1 } }, { examples: [{ a: 1 }] }, '/examples'],
    ['an example that is null', { examples: null }, { examples: [null] }, '/examples'],
    ['a description in lines', { ...text, description: ['a', 'b'] }, text, '/description'],
    ['no description', { ...text, description: null }, text, '/description'],
    ['a number for a title', { ...text, title: 5 }, text, '/title'],
    ['a note that is no text', { ...text, $comment: {} }, text, '/$comment'],
    ['a reason for being old', { ...text, deprecated: 'use b' }, text, '/deprecated'],
    ['a word for true', { ...text, readOnly: 'true' }, text, '/readOnly'],
    ['a number for true', { ...text, writeOnly: 1 }, text, '/writeOnly'],
    ['an encoding that is none', { ...text, contentEncoding: 5 }, text, '/contentEncoding'],
    ['a media type that is none', { ...text, contentMediaType: ['a'] }, text, '/contentMediaType'],
    ['a schema of content that is none', { ...text, contentSchema: 'json' }, text, '/contentSchema'],
    ['a type twice', { type: ['string', 'null', 'string'] }, { type: ['string', 'null'] }, '/type'],
    ['a name required twice', { required: ['a', 'b', 'a'] }, { required: ['a', 'b'] }, '/required'],
    [
      'a name needed twice',
      { dependentRequired: { a: ['b', 'b'], c: ['d'] } },
      { dependentRequired: { a: ['b'], c: ['d'] } },
      '/dependentRequired',
    ],
  ];

  test.each(cases)('has it right behind %s, with a note', (_, raw, json, place) => {
    const root = (property: JsonObject): JsonObject => ({ type: 'object', properties: { p: property } });
    for (const trust of trusts) {
      const taken = take(root(raw), trust);
      expect(taken.json).toEqual(root(json));
      expect(taken.notes).toContain(`normalised /properties/p${place}`);
      expect(isSchema(root(raw))).toBe(false);
      expect(isSchema(taken.json)).toBe(true);
    }
  });

  test('is refused instead, with the place, where no other form is wanted', () => {
    for (const [, raw, , pointer] of cases) {
      expect(() => compileSchema(raw, { strict: true })).toThrow(
        expect.objectContaining({ code: 'schema/leftover', pointer }),
      );
    }
  });

  test('needs what stood twice once, in both forms of before', () => {
    const { json } = take({ dependencies: { a: ['b', 'b'], c: { required: ['d', 'd'] } } }, 'foreign');
    expect(json).toEqual({ dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } });
    const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b', 'b'] } };
    expect(take(draft07, 'foreign').json).toEqual({ ...draft07, dependencies: { a: ['b'] } });
  });

  test('is one, whatever describes its parts', () => {
    const described = fc.record(
      {
        title: fc.jsonValue(),
        description: fc.jsonValue(),
        $comment: fc.jsonValue(),
        examples: fc.jsonValue(),
        deprecated: fc.jsonValue(),
        readOnly: fc.jsonValue(),
        contentEncoding: fc.jsonValue(),
        type: fc.array(fc.constantFrom('string', 'null', 'object'), { minLength: 1 }),
        required: fc.array(fc.constantFrom('a', 'b', '__proto__')),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(described, described, (part, item) => {
        const raw = { type: 'object', properties: { part }, items: { anyOf: [item] } } as JsonObject;
        const { json } = take(raw, 'foreign');
        expect(isSchema(JSON.parse(JSON.stringify(json)))).toBe(true);
      }),
    );
  });
});

test('null stands for what is not set, whichever keyword of a stranger it is', () => {
  const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
  const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'];
  const parts = [
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
    'patternProperties',
    'prefixItems',
  ];
  const links = ['$ref', '$id', '$anchor', 'dependentRequired', 'unevaluatedProperties', 'additionalItems'];
  for (const keyword of [...counts, ...bounds, ...parts, ...links]) {
    const raw: JsonObject = { type: 'object', properties: { a: { type: 'string', [keyword]: null } } };
    for (const $schema of [undefined, 'http://json-schema.org/draft-07/schema#']) {
      const dialect = $schema === undefined ? {} : { $schema };
      const { json, notes } = take({ ...dialect, ...raw }, 'foreign');
      expect(json).toEqual({ ...dialect, type: 'object', properties: { a: { type: 'string' } } });
      expect(notes).toContain(`normalised /properties/a/${keyword}`);
    }
  }
  expect(() => take({ type: null }, 'foreign')).toThrow(
    expect.objectContaining({ code: 'schema/keyword-invalid', pointer: '/type' }),
  );
});
