import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json/json-value.ts';
import type { CompileSchemaOptions } from './compile-options.ts';
import { compileSchema } from './compile-schema.ts';
import type { SchemaErrorCode } from './schema-error.ts';

const parse = (text: string): JsonValue => JSON.parse(text);

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
    ['an unknown dialect', true, 'schema/options-invalid', '', { dialect: 'draft-03' as never }],
    ['a limit that is no number', true, 'schema/options-invalid', '', { limits: { maxNodes: Number.NaN } }],
  ];
  test.each(refused)('%s', (_name, schema, code, pointer, options) => {
    expect(() => compileSchema(schema, options)).toThrow(
      expect.objectContaining({ name: 'SchemaError', code, pointer }),
    );
  });

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

describe('references', () => {
  const followed: readonly (readonly [string, unknown, JsonValue, JsonValue])[] = [
    [
      'to a sibling property',
      { properties: { h: { type: 'object' }, a: { items: { $ref: '#/properties/h' } } } },
      { a: [{}] },
      { a: [1] },
    ],
    [
      'with escapes',
      { $defs: { 'a/b~c d': { type: 'null' } }, items: { $ref: '#/$defs/a~1b~0c%20d' } },
      [null],
      [1],
    ],
    ['through an array', { allOf: [{ minimum: 5 }], items: { $ref: '#/allOf/0' } }, [5], [4]],
    [
      'below an unknown keyword',
      { 'x-types': { n: { type: 'integer' } }, items: { $ref: '#/x-types/n' } },
      [1],
      ['1'],
    ],
    ['to an anchor', { $defs: { n: { $anchor: 'n', type: 'integer' } }, items: { $ref: '#n' } }, [1], ['1']],
    [
      'to an embedded $id',
      { $id: 'https://e.x/root', $defs: { n: { $id: 'n', type: 'integer' } }, items: { $ref: '/n' } },
      [1],
      ['1'],
    ],
    [
      'to the own absolute $id',
      { $id: 'https://e.x/root', type: ['array', 'null'], items: { $ref: 'https://e.x/root#' } },
      [[null]],
      [[1]],
    ],
    ['to the root, recursively', { type: 'array', items: { $ref: '#' } }, [[[]]], [[[1]]]],
    [
      'to a meta-schema',
      { $ref: 'https://json-schema.org/draft/2020-12/schema' },
      { type: 'string' },
      { type: 'strnig' },
    ],
    [
      'to another meta-schema',
      { $ref: 'http://json-schema.org/draft-07/schema#' },
      { minLength: 1 },
      { minLength: -1 },
    ],
    [
      'with siblings',
      { $defs: { s: { type: 'string' } }, items: { $ref: '#/$defs/s', minLength: 2 } },
      ['ab'],
      ['a'],
    ],
  ];
  test.each(followed)('%s', (_name, schema, good, bad) => {
    const compiled = compileSchema(schema);
    expect([compiled.check(good), compiled.check(bad)]).toEqual([true, false]);
  });

  test('in draft-07, siblings of a reference say nothing', () => {
    const schema = {
      definitions: { s: { type: 'string' } },
      items: { $ref: '#/definitions/s', minLength: 2 },
    };
    expect(compileSchema(schema, { dialect: 'draft-07' }).check(['a'])).toBe(true);
  });

  test('names of one schema are unknown to the next', () => {
    compileSchema({ $id: 'https://e.x/shared', $defs: { a: { $anchor: 'a' } } });
    expect(() => compileSchema({ $ref: 'https://e.x/shared' })).toThrow(
      expect.objectContaining({ code: 'schema/reference-remote' }),
    );
    const other = compileSchema({ $id: 'https://e.x/shared', maximum: 100 });
    expect(other.check(1e9)).toBe(false);
  });
});

describe('only own members count', () => {
  test('a required name that every object inherits is missing from an empty one', () => {
    const schema = compileSchema({ required: ['toString', 'constructor'] });
    expect(schema.check({})).toBe(false);
    expect(schema.check(parse('{"toString":1,"constructor":2}'))).toBe(true);
  });

  test('a property called __proto__ is checked like any other', () => {
    const schema = compileSchema(
      parse('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    );
    expect(schema.check(parse('{"__proto__":"a"}'))).toBe(true);
    expect(schema.check(parse('{"__proto__":{}}'))).toBe(false);
    expect(schema.check({})).toBe(false);
  });

  test('an own __proto__ is an unknown member of a closed object', () => {
    const schema = compileSchema({ properties: { a: true }, additionalProperties: false });
    expect(schema.check(parse('{"__proto__":{"a":1}}'))).toBe(false);
  });

  /** Runs something while `Object.prototype` has another member. */
  function polluted<Result>(name: string, value: unknown, run: () => Result): Result {
    try {
      Object.defineProperty(Object.prototype, name, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
      return run();
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
  }

  test('keywords that only Object.prototype has are not read', () => {
    expect(polluted('type', 'string', () => compileSchema({}).check(5))).toBe(true);
  });

  test('members that only Object.prototype has neither fulfil nor break a schema', () => {
    const closed = compileSchema({ type: 'object', properties: { a: true }, additionalProperties: false });
    const needs = compileSchema({ type: 'object', properties: { role: true }, required: ['role'] });
    const verdicts = (): unknown[] => [
      closed.check({ a: 1 }),
      needs.check({}),
      needs.explain({}).map(({ keyword }) => keyword),
    ];
    expect(verdicts()).toEqual([true, false, ['required']]);
    expect(polluted('role', 'admin', verdicts)).toEqual([true, false, ['required']]);
  });
});

describe('a compiled schema', () => {
  test('does not follow later changes of what it was made from', () => {
    const written = { type: 'object', properties: { n: { maximum: 10 } } };
    const schema = compileSchema(written);
    written.properties.n.maximum = 1_000_000;
    expect(schema.check({ n: 11 })).toBe(false);
    expect(schema.json).toEqual({ type: 'object', properties: { n: { maximum: 10 } } });
  });

  test('never changes what it is made from, frozen or not', () => {
    const written = { properties: { a: { default: { b: 1 } } }, exclusiveMinimum: true, minimum: 1 };
    const before = JSON.stringify(written);
    compileSchema(written);
    expect(JSON.stringify(written)).toBe(before);
    Object.freeze(written.properties);
    expect(compileSchema(Object.freeze(written)).check({ a: {} })).toBe(true);
  });

  test('is frozen to its last part', () => {
    const schema = compileSchema({
      properties: { a: { enum: [{ b: [1] }] } },
      'x-note': { c: [] },
      format: 'unheard-of',
    });
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect([frozen(schema), frozen(schema.json), frozen(schema.intake)]).toEqual([true, true, true]);
  });

  test.each<[boolean, boolean]>([
    [true, true],
    [false, false],
  ])('of the boolean %s answers %s to everything', (json, verdict) => {
    const schema = compileSchema(json);
    for (const value of [null, 0, '', [], {}]) expect(schema.check(value)).toBe(verdict);
    expect(schema.json).toBe(json);
  });

  test('takes boolean schemas wherever a schema may stand', () => {
    const schema = compileSchema({
      properties: { any: true, none: false },
      prefixItems: [true, false],
      items: false,
      contains: true,
      not: false,
      if: true,
      then: true,
      else: false,
      allOf: [true],
      anyOf: [false, true],
      oneOf: [true, false],
      dependentSchemas: { none: false, any: true },
      additionalProperties: true,
      unevaluatedProperties: false,
      propertyNames: true,
    });
    expect(schema.check({ any: 1, other: 2 })).toBe(true);
    expect(schema.check({ none: 1 })).toBe(false);
    expect(schema.check([1])).toBe(true);
    expect(schema.check([1, 2])).toBe(false);
  });

  test.each<[JsonValue, boolean]>([
    [3.0, true],
    [1e300, true],
    [-0, true],
    [3.5, false],
    [true, false],
    ['3', false],
    [null, false],
  ])('holds %s to be an integer: %s', (value, verdict) => {
    expect(compileSchema({ type: 'integer' }).check(value)).toBe(verdict);
    expect(compileSchema({ items: { type: 'integer' } }).check([value])).toBe(verdict);
    expect(compileSchema({ properties: { n: { type: 'integer' } } }).check({ n: value })).toBe(verdict);
  });

  test.each<[string, boolean]>([
    ['', false],
    ['😀', false],
    ['😀😀', true],
    ['ab', true],
    ['😀b😀', true],
    ['abcd', false],
    ['😀😀😀😀', false],
  ])('counts the characters of %j by code points', (text, verdict) => {
    expect(compileSchema({ type: 'string', minLength: 2, maxLength: 3 }).check(text)).toBe(verdict);
    expect(compileSchema({ items: { type: 'string', minLength: 2, maxLength: 3 } }).check([text])).toBe(
      verdict,
    );
  });
});

describe('intake', () => {
  test('a foreign default that does not match is noted and left out', () => {
    const schema = compileSchema(
      { properties: { n: { type: 'integer', default: 'ten' } } },
      { trust: 'foreign' },
    );
    expect(schema.intake.notes).toContainEqual({
      kind: 'normalised',
      pointer: '/properties/n/default',
      detail: 'default does not match its own schema and is not applied',
    });
    const value = {};
    expect(schema.applyDefaults(value)).toEqual([]);
    expect(value).toEqual({});
  });

  test('an injected engine runs the patterns that were not proved, and is named', () => {
    const patternEngine = {
      compile: (source: string) => ({ test: (text: string) => text.includes(source) }),
    };
    const schema = compileSchema({ pattern: '^(a|a)*$' }, { trust: 'foreign', patternEngine });
    expect(schema.intake.notes).toMatchObject([{ kind: 'pattern-linear', pointer: '/pattern' }]);
    expect(schema.check('the text ^(a|a)*$ itself')).toBe(true);
  });

  test('a pattern that only the older syntax takes is noted', () => {
    const schema = compileSchema({ pattern: '^\\_$' });
    expect(schema.intake.notes).toMatchObject([{ kind: 'normalised', pointer: '/pattern' }]);
    expect(schema.check('_')).toBe(true);
  });

  test('formats are asserted unless they are asked to annotate', () => {
    expect(compileSchema({ format: 'email' }).check('nobody')).toBe(false);
    expect(compileSchema({ format: 'email' }, { formats: 'annotate' }).check('nobody')).toBe(true);
    expect(compileSchema({ format: 'uint' }).check('nobody')).toBe(true);
  });
});
