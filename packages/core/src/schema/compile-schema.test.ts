import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json/json-value.ts';
import { compileSchema } from './compile-schema.ts';

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

describe('what no JSON text can carry', () => {
  const foreign: readonly (readonly [string, unknown])[] = [
    ['a function', () => true],
    ['a symbol', Symbol('x')],
    ['undefined', undefined],
    ['a bigint', 5n],
  ];
  test.each(foreign)('%s matches no type', (_name, value) => {
    for (const type of [
      'object',
      'array',
      ['object', 'null'],
      ['number', 'string', 'boolean', 'array', 'object'],
    ]) {
      const schema = compileSchema({ type });
      expect(schema.check(value as JsonValue)).toBe(false);
      expect(compileSchema({ items: { type } }).check([value as JsonValue])).toBe(false);
      expect(
        compileSchema({ properties: { a: { type } }, required: ['a'] }).check({ a: value as JsonValue }),
      ).toBe(false);
    }
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
