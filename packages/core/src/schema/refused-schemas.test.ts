import { describe, expect, test } from 'vitest';
import type { CompileSchemaOptions } from './compile-options.ts';
import { compileSchema } from './compile-schema.ts';
import type { SchemaErrorCode } from './schema-error.ts';

describe('a schema that cannot be used is refused by code and place', () => {
  const refused: readonly (readonly [string, unknown, SchemaErrorCode, string, CompileSchemaOptions?])[] = [
    [
      'a keyword of the wrong type',
      { properties: { a: { minLength: '3' } } },
      'schema/keyword-invalid',
      '/properties/a/minLength',
    ],
    ['a negative count', { minItems: -1 }, 'schema/keyword-invalid', '/minItems'],
    ['a count with a fraction', { maxProperties: 1.5 }, 'schema/keyword-invalid', '/maxProperties'],
    ['a step of zero', { multipleOf: 0 }, 'schema/keyword-invalid', '/multipleOf'],
    ['an unknown type', { type: 'strnig' }, 'schema/keyword-invalid', '/type'],
    ['no type at all', { type: [] }, 'schema/keyword-invalid', '/type'],
    ['an empty union', { anyOf: [] }, 'schema/keyword-invalid', '/anyOf'],
    ['null for a schema', { properties: { a: null } }, 'schema/keyword-invalid', '/properties'],
    ['a subschema that is a string', { items: 'string' }, 'schema/keyword-invalid', '/items'],
    ['an enum that is no list', { enum: 'a' }, 'schema/keyword-invalid', '/enum'],
    ['an $id that is no URI', { $id: 'http://[' }, 'schema/keyword-invalid', '/$id'],
    [
      'an $id with a fragment',
      { properties: { a: { $id: 'x#y' } } },
      'schema/keyword-invalid',
      '/properties/a/$id',
    ],
    ['a reference to nowhere', { $ref: '#/$defs/a' }, 'schema/reference-unresolved', '/$ref'],
    [
      'a reference to an unknown anchor',
      { items: { $ref: '#a' } },
      'schema/reference-unresolved',
      '/items/$ref',
    ],
    [
      'a reference to something that is no schema',
      { $ref: '#/title', title: 'x' },
      'schema/reference-unresolved',
      '/$ref',
    ],
    [
      'an array index with a leading zero',
      { allOf: [true], $ref: '#/allOf/00' },
      'schema/reference-unresolved',
      '/$ref',
    ],
    ['a badly escaped reference', { $ref: '#/%zz' }, 'schema/reference-unresolved', '/$ref'],
    ['an inherited name in a reference', { $ref: '#/constructor' }, 'schema/reference-unresolved', '/$ref'],
    [
      'a reference to another host',
      { $ref: 'https://example.com/a.json' },
      'schema/reference-remote',
      '/$ref',
    ],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }, 'schema/reference-remote', '/$ref'],
    ['a reference to a relative document', { $ref: 'other.json' }, 'schema/reference-unresolved', '/$ref'],
    [
      'an anchor that stands twice',
      { $ref: '#a', $defs: { x: { $anchor: 'a' }, y: { $anchor: 'a' } } },
      'schema/reference-unresolved',
      '/$ref',
    ],
    [
      'an $id that stands twice',
      { $ref: 'urn:a', $defs: { x: { $id: 'urn:a' }, y: { $id: 'urn:a' } } },
      'schema/reference-unresolved',
      '/$ref',
    ],
    ['a reference to itself', { $ref: '#' }, 'schema/reference-loop', '/$ref'],
    ['a loop through allOf', { allOf: [{ $ref: '#' }] }, 'schema/reference-loop', ''],
    [
      'a loop of two',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } } },
      'schema/reference-loop',
      '/$defs/a/$ref',
    ],
    [
      'a loop through a dynamic anchor',
      { $dynamicAnchor: 'a', anyOf: [{ $dynamicRef: '#a' }] },
      'schema/reference-loop',
      '',
    ],
    [
      'a pattern that is none',
      { properties: { a: { pattern: '(' } } },
      'schema/pattern-invalid',
      '/properties/a/pattern',
    ],
    [
      'a pattern property that is none',
      { patternProperties: { '[': true } },
      'schema/pattern-invalid',
      '/patternProperties/[',
    ],
    [
      'an ambiguous pattern of somebody else',
      { pattern: '^(a|a)*$' },
      'schema/pattern-unsafe',
      '/pattern',
      { trust: 'foreign' },
    ],
    [
      'a default that does not match',
      { properties: { n: { type: 'integer', default: 'ten' } } },
      'schema/default-invalid',
      '/properties/n/default',
    ],
    ['an unknown trust', true, 'schema/options-invalid', '', { trust: 'none' as never }],
    ['an unknown option', true, 'schema/options-invalid', '', { trsut: 'foreign' } as never],
    ['an unknown limit', true, 'schema/options-invalid', '', { limits: { maxNode: 5 } as never }],
    ['an unknown dialect', true, 'schema/options-invalid', '', { dialect: 'draft-03' as never }],
    ['a limit that is no number', true, 'schema/options-invalid', '', { limits: { maxNodes: Number.NaN } }],
  ];
  for (const [name, schema, code, pointer, options] of refused) {
    test(name, () => {
      expect(() => compileSchema(schema, options)).toThrow(
        expect.objectContaining({ name: 'SchemaError', code, pointer }),
      );
    });
  }

  test('a chain of subschemas that is too long is refused before it can end the stack', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }] as const),
    );
    const schema = { $ref: '#/$defs/d0', $defs: { ...$defs, d20000: true } };
    expect(() => compileSchema(schema)).toThrow(expect.objectContaining({ code: 'schema/too-deep' }));
  });

  test('a chain through values may be long: it is made when a value gets there', () => {
    const $defs = Object.fromEntries(
      Array.from(
        { length: 5_000 },
        (_, index) => [`d${index}`, { items: { $ref: `#/$defs/d${index + 1}` } }] as const,
      ),
    );
    const schema = compileSchema({ $ref: '#/$defs/d0', $defs: { ...$defs, d5000: true } });
    expect(schema.check([[[[1]]]])).toBe(true);
  });
});
