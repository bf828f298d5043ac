import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

describe('defaults are filled wherever a subschema applies without a choice', () => {
  const filled: readonly (readonly [string, unknown, JsonValue, JsonValue, readonly string[]])[] = [
    ['a member', { properties: { n: { default: 10 } } }, {}, { n: 10 }, ['/n']],
    [
      'false, zero, the empty text and null',
      { properties: { a: { default: false }, b: { default: 0 }, c: { default: '' }, d: { default: null } } },
      {},
      { a: false, b: 0, c: '', d: null },
      ['/a', '/b', '/c', '/d'],
    ],
    [
      'never over what is there',
      { properties: { a: { default: 1 }, b: { default: 1 } } },
      { a: null, b: 0 },
      { a: null, b: 0 },
      [],
    ],
    [
      'a member of a member',
      { properties: { o: { properties: { n: { default: 1 } } } } },
      { o: {} },
      { o: { n: 1 } },
      ['/o/n'],
    ],
    [
      'nothing inside of an absent member',
      { properties: { o: { properties: { n: { default: 1 } } } } },
      {},
      {},
      [],
    ],
    [
      'a default with members of its own',
      { properties: { o: { default: {}, properties: { n: { default: [1] } } } } },
      {},
      { o: { n: [1] } },
      ['/o'],
    ],
    [
      'items',
      { items: { properties: { n: { default: 1 } } } },
      [{}, { n: 2 }, 3],
      [{ n: 1 }, { n: 2 }, 3],
      ['/0/n'],
    ],
    [
      'prefix items',
      { prefixItems: [{ properties: { n: { default: 1 } } }], items: true },
      [{}, {}],
      [{ n: 1 }, {}],
      ['/0/n'],
    ],
    [
      'members of a map',
      { additionalProperties: { properties: { n: { default: 1 } } } },
      { a: {}, b: 1 },
      { a: { n: 1 }, b: 1 },
      ['/a/n'],
    ],
    [
      'members by pattern',
      { patternProperties: { '^a': { properties: { n: { default: 1 } } } } },
      { a: {}, b: {} },
      { a: { n: 1 }, b: {} },
      ['/a/n'],
    ],
    [
      'through a reference',
      { $ref: '#/$defs/o', $defs: { o: { properties: { n: { default: 1 } } } } },
      {},
      { n: 1 },
      ['/n'],
    ],
    [
      'through allOf, the first one first',
      { allOf: [{ properties: { n: { default: 1 } } }, { properties: { n: { default: 2 } } }] },
      {},
      { n: 1 },
      ['/n'],
    ],
    [
      'of what a member refers to',
      { properties: { n: { $ref: '#/$defs/n' } }, $defs: { n: { default: 1 } } },
      {},
      { n: 1 },
      ['/n'],
    ],
    [
      'beside a reference before behind it',
      { properties: { n: { $ref: '#/$defs/n', default: 2 } }, $defs: { n: { default: 1 } } },
      {},
      { n: 2 },
      ['/n'],
    ],
    [
      'recursively, as deep as the value',
      { properties: { v: { default: 0 }, kids: { items: { $ref: '#' } } } },
      { kids: [{ kids: [{}] }] },
      { v: 0, kids: [{ v: 0, kids: [{ v: 0 }] }] },
      ['/v', '/kids/0/v', '/kids/0/kids/0/v'],
    ],
    ['not in anyOf', { anyOf: [{ properties: { n: { default: 1 } } }] }, {}, {}, []],
    ['not in oneOf', { oneOf: [{ properties: { n: { default: 1 } } }] }, {}, {}, []],
    ['not in not', { not: { properties: { n: { default: 1 } }, required: ['x'] } }, {}, {}, []],
    [
      'not under a condition',
      { if: { properties: { n: { default: 1 } } }, then: { properties: { m: { default: 1 } } } },
      {},
      {},
      [],
    ],
    ['not at the root', { default: { n: 1 } }, {}, {}, []],
    ['not into a value of another type', { properties: { n: { default: 1 } } }, [], [], []],
  ];
  test.each(filled)('%s', (_name, schema, value, expected, pointers) => {
    const owned = structuredClone(value);
    expect(compileSchema(schema).applyDefaults(owned)).toEqual(pointers);
    expect(owned).toEqual(expected);
  });

  test('in draft-07 a default beside a reference is not looked at', () => {
    const schema = { properties: { n: { $ref: '#/definitions/n', default: 2 } }, definitions: { n: {} } };
    expect(compileSchema(schema, { dialect: 'draft-07' }).applyDefaults({})).toEqual([]);
  });

  test('members called __proto__ and constructor become own members', () => {
    const schema = compileSchema(
      JSON.parse('{"properties":{"__proto__":{"default":{"a":1}},"constructor":{"default":1}}}'),
    );
    const value: Record<string, JsonValue> = {};
    expect(schema.applyDefaults(value)).toEqual(['/__proto__', '/constructor']);
    expect([Object.keys(value), 'a' in value]).toEqual([['__proto__', 'constructor'], false]);
  });

  test('an inherited member is absent', () => {
    const schema = compileSchema({ properties: { toString: { default: 'x' } } });
    const value = {};
    expect(schema.applyDefaults(value)).toEqual(['/toString']);
    expect(value).toEqual({ toString: 'x' });
  });
});

test('each call gets its own copy', () => {
  const schema = compileSchema({ properties: { o: { default: { list: [] } } } });
  const first: Record<string, JsonValue> = {};
  const second: Record<string, JsonValue> = {};
  schema.applyDefaults(first);
  (first['o'] as { list: number[] }).list.push(1);
  schema.applyDefaults(second);
  expect(second).toEqual({ o: { list: [] } });
});

describe('a default that does not match its own schema', () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['by its type', { properties: { n: { type: 'integer', default: 'ten' } } }, '/properties/n/default'],
    [
      'in a branch that is never filled',
      { anyOf: [{ properties: { n: { maximum: 1, default: 2 } } }] },
      '/anyOf/0/properties/n/default',
    ],
    [
      'by what the member adds to a reference',
      { properties: { n: { $ref: '#/$defs/n', maximum: 2 } }, $defs: { n: { default: 3 } } },
      '/properties/n',
    ],
    [
      'by a member that it lacks',
      { properties: { o: { default: {}, required: ['a'] } } },
      '/properties/o/default',
    ],
    ['by leading back to itself', { properties: { o: { $ref: '#', default: {} } } }, '/properties/o/default'],
  ];
  test.each(wrong)('%s is refused where the schema is declared', (_name, schema, pointer) => {
    expect(() => compileSchema(schema)).toThrow(
      expect.objectContaining({ code: 'schema/default-invalid', pointer }),
    );
  });

  test.each(wrong)('%s is noted and left out of a foreign schema', (_name, schema, pointer) => {
    const { intake } = compileSchema(schema, { trust: 'foreign' });
    expect(intake.notes.map((note) => note.pointer)).toContain(pointer);
  });

  test.each(wrong)('%s is refused in a foreign schema that is taken strictly', (_name, schema) => {
    expect(() => compileSchema(schema, { trust: 'foreign', strict: true })).toThrow(
      expect.objectContaining({ code: 'schema/default-invalid' }),
    );
  });

  test('is no concern of a schema whose defaults are annotations', () => {
    const schema = compileSchema(
      { properties: { n: { type: 'integer', default: 'ten' } } },
      { defaults: 'annotate' },
    );
    expect(schema.applyDefaults({})).toEqual([]);
  });
});

test('filling never changes what is there, and filling twice is filling once', () => {
  const schema = compileSchema({
    properties: {
      a: { default: 1 },
      b: { default: {}, properties: { c: { default: [] } } },
      kids: { items: { $ref: '#' } },
    },
  });
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>(null, 1, 'x', []),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'kids'), tie('value'), { noNullPrototype: true }),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  }));
  fc.assert(
    fc.property(value, (sample) => {
      const once = structuredClone(sample);
      schema.applyDefaults(once);
      expect(once).toMatchObject(sample as object);
      const twice = structuredClone(once);
      expect(schema.applyDefaults(twice)).toEqual([]);
      expect(twice).toEqual(once);
    }),
  );
});

test('looking for defaults through references that double at each level ends', () => {
  const levels = Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/l${level + 1}` };
    return [`l${level}`, { allOf: [next, next] }] as const;
  });
  const schema = {
    $defs: { ...Object.fromEntries(levels), l40: true },
    properties: { a: { $ref: '#/$defs/l0' }, b: { default: 1 } },
  };
  const value = {};
  expect(compileSchema(schema).applyDefaults(value)).toEqual(['/b']);
});
