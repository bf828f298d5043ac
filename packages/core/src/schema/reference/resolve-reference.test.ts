import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

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
