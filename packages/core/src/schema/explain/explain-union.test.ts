import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

const shapes = [
  object({ mode: { const: 'latest' }, count: { type: 'integer' } }, { required: ['mode'] }),
  object({ mode: { const: 'window' }, from: { type: 'string' } }, { required: ['mode', 'from'] }),
];

/** Every issue as pointer, keyword, expectation and what was found. */
function issuesOf(schema: unknown, value: JsonValue): readonly (readonly string[])[] {
  return compileSchema(schema)
    .explain(value)
    .map(({ pointer, keyword, expected, actual }) => [pointer, keyword, expected, actual]);
}

describe('a union is explained by its closest branch', () => {
  const cases: readonly (readonly [string, unknown, JsonValue, readonly (readonly string[])[]])[] = [
    [
      'by the values of its tag',
      { oneOf: shapes },
      { mode: 'trending' },
      [['/mode', 'oneOf', '"latest" or "window"', '"trending"']],
    ],
    [
      'by its tag when that is absent',
      { oneOf: shapes },
      {},
      [['', 'oneOf', 'the member "mode" with one of "latest" or "window"', 'none']],
    ],
    [
      'by the branch that its tag names',
      { oneOf: shapes },
      { mode: 'window' },
      [['', 'required', 'the member "from"', 'none']],
    ],
    [
      'by a tag behind references',
      {
        anyOf: [{ $ref: '#/$defs/a' }, { allOf: [{ $ref: '#/$defs/b' }] }],
        $defs: { a: shapes[0], b: shapes[1] },
      },
      { mode: 'x' },
      [['/mode', 'anyOf', '"latest" or "window"', '"x"']],
    ],
    [
      'by all its types',
      { anyOf: [{ type: 'string' }, { type: 'null' }, { items: true, type: 'array' }] },
      5,
      [['', 'anyOf', 'a string or an array or null', '5']],
    ],
    [
      'by the branch of the right type',
      { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'null' }] },
      'ab',
      [['', 'maxLength', 'at most 1 character', '2']],
    ],
    [
      'by all its values',
      { anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] },
      'd',
      [['', 'anyOf', '"a", "b" or "c"', '"d"']],
    ],
    [
      'by the members of which one is needed',
      { anyOf: [{ required: ['title'] }, { required: ['body'] }] },
      {},
      [['', 'required', 'the member "title" or the member "body"', 'none']],
    ],
    [
      'by the branch with the fewest issues',
      {
        anyOf: [
          object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['c'] }),
          object({ a: { type: 'number' }, b: { type: 'string' } }),
        ],
      },
      { a: 1, b: 2 },
      [['/b', 'type', 'a string', '2']],
    ],
    [
      'by the branches that match at once',
      { oneOf: [{ type: 'integer' }, { minimum: 2 }, { const: 9 }] },
      3,
      [['', 'oneOf', 'exactly one of 3 alternatives', 'alternatives 1 and 2 at once']],
    ],
  ];
  test.each(cases)('%s', (_name, schema, value, expected) => {
    expect(issuesOf(schema, value)).toEqual(expected);
  });
});

test('an absent member that some branch does not ask for is not to blame', () => {
  const schema = compileSchema({
    anyOf: [
      object({ unit: { enum: ['m', 'km'] }, length: { type: 'number' } }, { required: ['length'] }),
      object({ unit: { enum: ['s', 'h'] }, time: { type: 'number' } }, { required: ['time'] }),
    ],
  });
  expect(schema.explain({ length: 'far' })).toMatchObject([{ pointer: '/length', keyword: 'type' }]);
});

test('looking for tags through references that double at each level ends', () => {
  const levels = Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/l${level + 1}` };
    return [`l${level}`, { allOf: [next, next], properties: { kind: { const: level } } }] as const;
  });
  const $defs = { ...Object.fromEntries(levels), l40: { properties: { kind: { enum: [1, 2] } } } };
  const schema = compileSchema({ $defs, anyOf: [{ $ref: '#/$defs/l0' }, { $ref: '#/$defs/l1' }] });
  expect(schema.check({ kind: 'x' })).toBe(false);
  expect(schema.explain({ kind: 'x' })).toHaveLength(1);
});
