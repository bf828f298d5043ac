import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { IntakeNote } from '../schema.ts';
import { intakeLimits } from './intake-limits.ts';
import { type NormalisedSchema, type NormaliseSchemaOptions, normaliseSchema } from './normalise-schema.ts';

const own: NormaliseSchemaOptions = { trust: 'own', strict: false, limits: intakeLimits.own };
const read = (raw: JsonObject | boolean, options: Partial<NormaliseSchemaOptions> = {}): NormalisedSchema =>
  normaliseSchema(raw, { ...own, ...options });
/** All but what is said about places of any type, which is tested beside `noteUntyped`. */
const kinds = (notes: readonly IntakeNote[]): readonly string[] =>
  notes.filter(({ kind }) => kind !== 'untyped').map((note) => `${note.kind} ${note.pointer}`);

const draft04 = 'http://json-schema.org/draft-04/schema#';
const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';

describe('the dialect', () => {
  test.each([
    [undefined, '2020-12', []],
    ['https://json-schema.org/draft/2020-12/schema', '2020-12', []],
    ['https://json-schema.org/draft/2020-12/schema#', '2020-12', []],
    [draft2019, '2020-12', ['dialect-mapped /$schema']],
    [draft07, 'draft-07', []],
    ['https://json-schema.org/draft-07/schema', 'draft-07', []],
    ['http://json-schema.org/draft-06/schema#', 'draft-07', ['dialect-mapped /$schema']],
    [draft04, 'draft-07', ['dialect-mapped /$schema']],
    ['http://json-schema.org/draft-03/schema#', '2020-12', ['dialect-mapped /$schema']],
    ['https://example.com/my-own', '2020-12', ['dialect-mapped /$schema']],
  ])('of $schema %j is %s', (declared, dialect, notes) => {
    const result = read(declared === undefined ? {} : { $schema: declared });
    expect([result.dialect, result.declared, kinds(result.notes)]).toEqual([dialect, declared, notes]);
  });

  test('is the one of the options only where $schema says nothing', () => {
    expect(read({}, { dialect: 'draft-07' }).dialect).toBe('draft-07');
    expect(read({ $schema: draft2019 }, { dialect: 'draft-07' }).dialect).toBe('2020-12');
    expect(read(true, { dialect: 'draft-07' }).dialect).toBe('draft-07');
  });

  test('is declared truthfully when the schema was mapped', () => {
    expect(read({ $schema: draft04 }).json).toEqual({ $schema: draft07 });
    expect(read({ $schema: 'urn:mine' }).json).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    expect(read({ $schema: 'https://json-schema.org/draft-07/schema' }).json).toEqual({
      $schema: 'https://json-schema.org/draft-07/schema',
    });
  });

  test('that nobody knows is refused when strict', () => {
    const refusal = expect.objectContaining({ code: 'schema/dialect-unknown', pointer: '/$schema' });
    expect(() => read({ $schema: 'urn:mine' }, { strict: true })).toThrow(refusal);
    expect(() => read({ $schema: 4 }, { strict: true })).toThrow(refusal);
    expect(read({ $schema: draft04 }, { strict: true }).dialect).toBe('draft-07');
  });
});

describe('null where nothing was set', () => {
  const raw: JsonObject = {
    type: 'object',
    properties: {
      a: { type: 'string', enum: null, minLength: null, pattern: null, default: null, const: null },
      b: { type: 'array', items: null },
    },
    required: null,
    additionalProperties: null,
    $defs: null,
  };

  test('is left out of the schema of a stranger, with a note, and stays where it is a value', () => {
    const { json, notes } = read(raw, { trust: 'foreign' });
    expect(json).toEqual({
      type: 'object',
      properties: { a: { type: 'string', default: null, const: null }, b: { type: 'array' } },
    });
    expect(kinds(notes)).toEqual(
      expect.arrayContaining(['normalised /required', 'normalised /properties/a/enum', 'normalised /$defs']),
    );
  });

  test('is left to be refused in a schema of ours, and refused when strict', () => {
    expect(read(raw).json).toEqual(raw);
    expect(() => read(raw, { trust: 'foreign', strict: true })).toThrow(
      expect.objectContaining({ code: 'schema/leftover' }),
    );
  });
});

interface LeftoverCase {
  readonly name: string;
  readonly raw: JsonObject;
  readonly json: JsonObject;
  readonly notes: readonly string[];
}

const leftoverCases: readonly LeftoverCase[] = [
  {
    name: 'exclusiveMinimum true',
    raw: { minimum: 1, exclusiveMinimum: true },
    json: { exclusiveMinimum: 1 },
    notes: ['/exclusiveMinimum'],
  },
  {
    name: 'exclusiveMaximum true',
    raw: { maximum: 1, exclusiveMaximum: true },
    json: { exclusiveMaximum: 1 },
    notes: ['/exclusiveMaximum'],
  },
  {
    name: 'exclusiveMinimum false',
    raw: { minimum: 1, exclusiveMinimum: false },
    json: { minimum: 1 },
    notes: ['/exclusiveMinimum'],
  },
  {
    name: 'exclusiveMinimum true without a bound',
    raw: { exclusiveMinimum: true },
    json: {},
    notes: ['/exclusiveMinimum'],
  },
  {
    name: 'required on members',
    raw: { properties: { a: { required: true }, b: { required: false }, c: {} }, required: ['c'] },
    json: { properties: { a: {}, b: {}, c: {} }, required: ['c', 'a'] },
    notes: ['/properties/a/required', '/properties/b/required'],
  },
  {
    name: 'required on a member that has members of its own',
    raw: { properties: { a: { required: true, properties: { b: { required: true } } } } },
    json: { properties: { a: { properties: { b: {} }, required: ['b'] } }, required: ['a'] },
    notes: ['/properties/a/required', '/properties/a/properties/b/required'],
  },
  {
    name: 'required elsewhere',
    raw: { items: { required: true } },
    json: { items: {} },
    notes: ['/items/required'],
  },
  {
    name: 'type any',
    raw: { properties: { a: { type: 'any' } } },
    json: { properties: { a: {} } },
    notes: ['/properties/a/type'],
  },
  { name: 'type any among others', raw: { type: ['string', 'any'] }, json: {}, notes: ['/type'] },
  {
    name: 'nullable',
    raw: { type: 'string', nullable: true },
    json: { type: ['string', 'null'] },
    notes: ['/nullable'],
  },
  {
    name: 'nullable beside an enum',
    raw: { type: 'string', enum: ['a'], nullable: true },
    json: { type: ['string', 'null'], enum: ['a', null] },
    notes: ['/nullable'],
  },
  {
    name: 'nullable that changes nothing',
    raw: { type: ['string', 'null'], nullable: true },
    json: { type: ['string', 'null'] },
    notes: ['/nullable'],
  },
  { name: 'nullable false', raw: { nullable: false }, json: {}, notes: ['/nullable'] },
  {
    name: 'id at the root',
    raw: { id: 'http://example.com/s' },
    json: { $id: 'http://example.com/s' },
    notes: ['/id'],
  },
  {
    name: 'id inside',
    raw: { properties: { a: { id: 'http://example.com/s' } } },
    json: { properties: { a: {} } },
    notes: ['/properties/a/id'],
  },
  { name: 'id that is a label', raw: { id: 'my tool' }, json: {}, notes: ['/id'] },
  {
    name: 'a list of items',
    raw: { items: [{}, true], additionalItems: false },
    json: { prefixItems: [{}, true], items: false },
    notes: ['/items'],
  },
  { name: 'an empty list of items', raw: { items: [] }, json: {}, notes: ['/items'] },
  {
    name: 'dependencies',
    raw: { dependencies: { a: ['b'], c: { required: ['d'] }, e: false } },
    json: { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] }, e: false } },
    notes: ['/dependencies'],
  },
  {
    name: 'dependencies beside their successor',
    raw: { dependentRequired: { a: ['x'] }, dependencies: { a: ['b'] } },
    json: { dependentRequired: { a: ['x'] }, allOf: [{ dependentRequired: { a: ['b'] } }] },
    notes: ['/dependencies'],
  },
  {
    name: 'a recursive reference without an anchor',
    raw: { items: { $recursiveRef: '#' } },
    json: { items: { $ref: '#' } },
    notes: ['/items/$recursiveRef'],
  },
];

describe('a form of another draft', () => {
  test.each(leftoverCases.map((item) => [item.name, item] as const))(
    '%s is normalised with a note',
    (_name, { raw, json, notes }) => {
      const result = read(raw);
      expect(result.json).toEqual(json);
      expect(kinds(result.notes)).toEqual(notes.map((pointer) => `normalised ${pointer}`));
      expect(result.bytes).toBe(JSON.stringify(json).length);
    },
  );

  test.each(leftoverCases.map((item) => [item.name, item] as const))(
    '%s is refused at its place when strict',
    (_name, { raw, notes }) => {
      expect(() => read(raw, { strict: true })).toThrow(
        expect.objectContaining({ code: 'schema/leftover', pointer: notes[0] }),
      );
    },
  );

  test('is no news, and no leftover, where the declared draft has it', () => {
    const result = read(
      { $schema: draft04, id: '#a', minimum: 1, exclusiveMinimum: true, definitions: { b: { id: 'b' } } },
      { strict: true },
    );
    expect(result.json).toEqual({
      $schema: draft07,
      $id: '#a',
      exclusiveMinimum: 1,
      definitions: { b: { $id: 'b' } },
    });
    expect(kinds(result.notes)).toEqual(['dialect-mapped /$schema']);
  });

  test('of 2019-09 is turned into 2020-12', () => {
    const raw = {
      $schema: draft2019,
      $recursiveAnchor: true,
      items: [{ $recursiveRef: '#' }],
      additionalItems: false,
    };
    expect(read(raw, { strict: true }).json).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $dynamicAnchor: 'recursive-anchor',
      prefixItems: [{ $dynamicRef: '#recursive-anchor' }],
      items: false,
    });
  });

  test('stays what it is in draft-07 where draft-07 has it', () => {
    const raw = { $schema: draft07, items: [{}], additionalItems: false, dependencies: { a: ['b'] } };
    const result = read(raw, { strict: true });
    expect([result.json, kinds(result.notes)]).toEqual([raw, []]);
  });

  test('is left alone where no schema stands', () => {
    const data = { type: 'any', required: true, items: [1], id: 'x', minimum: 1, exclusiveMinimum: true };
    const raw = {
      const: data,
      enum: [data],
      default: data,
      examples: [data],
      properties: { default: { const: data } },
    };
    const result = read(raw);
    expect([result.json, result.notes, result.nodes]).toEqual([raw, [], 2]);
  });
});

describe('references follow what was moved', () => {
  test.each<[string, JsonObject, string]>([
    ['into a list of items', { items: [{ type: 'string' }, { $ref: '#/items/0' }] }, '#/prefixItems/0'],
    ['into additionalItems', { items: [{ $ref: '#/additionalItems' }], additionalItems: {} }, '#/items'],
    [
      'deep into two moved places',
      { dependencies: { 'a/b%': { items: [{}, { $ref: '#/dependencies/a~1b%25/items/0' }] } } },
      '#/dependentSchemas/a~1b%25/prefixItems/0',
    ],
  ])('%s', (_name, raw, expected) => {
    const texts: string[] = [];
    JSON.stringify(read(raw).json, (name: string, value: JsonValue) => {
      if (name === '$ref' && typeof value === 'string') texts.push(value);
      return value;
    });
    expect(texts.map((text) => decodeURIComponent(text.slice(1)))).toEqual([
      decodeURIComponent(expected.slice(1)),
    ]);
  });

  test('inside a resource of its own, from its root', () => {
    const raw = { properties: { a: { $id: 'urn:a', items: [{}, { $ref: '#/items/0' }] } } };
    expect(read(raw).json).toEqual({
      properties: { a: { $id: 'urn:a', prefixItems: [{}, { $ref: '#/prefixItems/0' }] } },
    });
  });

  test('and others stay as written', () => {
    const raw = {
      items: [{ $ref: '#/$defs/a' }, { $ref: '#' }, { $ref: 'urn:x#/items/0' }, { $ref: '#/nowhere' }],
      $defs: { a: {} },
    };
    const { items, ...rest } = raw;
    expect(read(raw).json).toEqual({ ...rest, prefixItems: items });
  });

  test('also into lists, and not into what is no schema', () => {
    const json = (raw: JsonObject): unknown => read(raw).json;
    const list = { 'x-list': [{ type: 'any' }], enum: [{ type: 'any' }] };
    expect(json({ ...list, $ref: '#/x-list/0' })).toEqual({ ...list, $ref: '#/x-list/0', 'x-list': [{}] });
    for (const $ref of [
      '#/x-list/00',
      '#/x-list/1',
      '#/x-list/0/type/x',
      '#/x-list',
      '#/%',
      '#anchor',
      'other#/x-list/0',
    ]) {
      expect(json({ ...list, $ref })).toEqual({ ...list, $ref });
    }
  });

  test('a schema that only a reference leads to is normalised too', () => {
    const raw = {
      $ref: '#/components/Far',
      components: {
        Far: { type: 'any', fancy: 1, $ref: '#/components/Farther' },
        Farther: { minimum: 1, exclusiveMinimum: true },
      },
    };
    const result = read(raw);
    expect(result.json).toEqual({
      $ref: '#/components/Far',
      components: { Far: { fancy: 1, $ref: '#/components/Farther' }, Farther: { exclusiveMinimum: 1 } },
    });
    expect(result.nodes).toBe(3);
    expect(kinds(result.notes)).toContain('keyword-ignored /components/Far/fancy');
  });
});

describe('what is not understood is noted', () => {
  test('keywords, but not annotations and extensions', () => {
    const raw = {
      title: 't',
      'x-order': 1,
      $comment: 'c',
      example: 1,
      properties: { 'a/b': { instanceof: 'Date' } },
    };
    const result = read(raw);
    expect([result.json, kinds(result.notes)]).toEqual([
      raw,
      ['keyword-ignored /example', 'keyword-ignored /properties/a~1b/instanceof'],
    ]);
  });

  test('formats that are not asserted', () => {
    expect(kinds(read({ properties: { a: { format: 'uint' }, b: { format: 'date' } } }).notes)).toEqual([
      'format-ignored /properties/a/format',
    ]);
  });

  test('keywords that draft-07 does not know, and what its $ref hides', () => {
    const raw = {
      $schema: draft07,
      prefixItems: [],
      properties: { a: { $ref: '#/definitions/b', minLength: 1, description: 'd' } },
      definitions: { b: {} },
    };
    expect(kinds(read(raw).notes)).toEqual([
      'keyword-ignored /prefixItems',
      'keyword-ignored /properties/a/minLength',
    ]);
  });

  test('another dialect inside', () => {
    expect(kinds(read({ properties: { a: { $schema: draft07 } } }).notes)).toEqual([
      'keyword-ignored /properties/a/$schema',
    ]);
  });

  test('in a bounded number of bounded notes', () => {
    const name = 'n'.repeat(5_000);
    const raw = { properties: { [name]: { allOf: Array.from({ length: 400 }, () => ({ unheardOf: 1 })) } } };
    const { notes } = read(raw);
    expect(notes.length).toBe(201);
    expect(notes.at(-1)?.detail).toBe('further notes are left out');
    expect(Math.max(...notes.map((note) => note.pointer.length))).toBeLessThan(1_100);
  });
});

describe('limits', () => {
  const limits = { maxBytes: 1_000, maxDepth: 4, maxNodes: 6, maxReferences: 2 };
  const nested = (depth: number): JsonObject => (depth === 1 ? {} : { not: nested(depth - 1) });

  test('hold at the boundary', () => {
    expect(read(nested(4), { limits })).toMatchObject({ depth: 4, nodes: 4 });
    expect(read({ anyOf: [true, true, false, {}, {}] }, { limits })).toMatchObject({ depth: 2, nodes: 6 });
    expect(
      read({ allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: {} } }, { limits }).nodes,
    ).toBe(4);
    expect(read({ const: 'x'.repeat(1_000 - '{"const":""}'.length) }, { limits }).bytes).toBe(1_000);
  });

  test.each<[string, JsonObject, string, string]>([
    [
      'maxDepth',
      { $defs: { a: { not: { items: { not: {} } } } } },
      'schema/too-deep',
      '/$defs/a/not/items/not',
    ],
    ['maxNodes', { anyOf: [true, true, true, {}, {}, {}] }, 'schema/too-large', '/anyOf/5'],
    [
      'maxReferences',
      { allOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] },
      'schema/too-large',
      '/allOf/2',
    ],
    ['maxBytes', { const: 'ä'.repeat(500) }, 'schema/too-large', ''],
  ])('%s is refused by name', (name, raw, code, pointer) => {
    expect(() => read(raw, { limits })).toThrow(
      expect.objectContaining({ code, pointer, message: expect.stringContaining(name) }),
    );
  });

  test('of a foreign schema are tighter in every way', () => {
    for (const name of ['maxBytes', 'maxDepth', 'maxNodes', 'maxReferences'] as const) {
      expect(intakeLimits.foreign[name]).toBeLessThan(intakeLimits.own[name]);
    }
  });
});

describe('for any schema', () => {
  const keyword = fc.constantFrom(
    'type',
    'items',
    'properties',
    'required',
    'id',
    '$id',
    '$ref',
    'dependencies',
    'nullable',
    'minimum',
    'exclusiveMinimum',
    'additionalItems',
    'allOf',
    'not',
    'a',
    '__proto__',
    '$defs',
  );
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(true, false, null, 1, 'any', 'string', '#', '#/items/0', '#/$defs/a', 'a'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(fc.tuple(keyword, tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));
  const schema = fc
    .array(fc.tuple(keyword, value), { maxLength: 5 })
    .map((entries): JsonObject => Object.fromEntries(entries));
  const dialect = fc.constantFrom('2020-12', 'draft-07');

  test('the input is not changed and nothing of it is shared', () => {
    fc.assert(
      fc.property(schema, dialect, (raw, chosen) => {
        const before = JSON.stringify(raw);
        const { json } = read(raw, { dialect: chosen });
        expect(JSON.stringify(raw)).toBe(before);
        expect(json).not.toBe(raw);
      }),
    );
  });

  test('two lists for one array are no form of an earlier draft and stay to be refused', () => {
    const raw = { items: [], additionalItems: [] };
    expect(read(raw).json).toEqual(raw);
  });

  test('a normalised schema is left as it is by a second, strict round', () => {
    fc.assert(
      fc.property(schema, dialect, (raw, chosen) => {
        const { json, bytes } = read(raw, { dialect: chosen });
        const again = read(json, { dialect: chosen, strict: true });
        expect([again.json, again.bytes]).toEqual([json, bytes]);
      }),
    );
  });
});
