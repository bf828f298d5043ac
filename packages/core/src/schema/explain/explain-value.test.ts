import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

/** Every issue as pointer, keyword, expectation and what was found. */
function issuesOf(schema: unknown, value: JsonValue): readonly (readonly string[])[] {
  return compileSchema(schema)
    .explain(value)
    .map(({ pointer, keyword, expected, actual }) => [pointer, keyword, expected, actual]);
}

describe('an issue says where, which rule, what was expected and what was found', () => {
  const cases: readonly (readonly [string, unknown, JsonValue, readonly (readonly string[])[]])[] = [
    ['a type', { type: 'string' }, 5, [['', 'type', 'a string', '5']]],
    ['several types', { type: ['integer', 'null'] }, 3.5, [['', 'type', 'an integer or null', '3.5']]],
    [
      'a number in quotes',
      object({ n: { type: 'integer' } }),
      { n: '3' },
      [['/n', 'type', 'an integer', 'the string "3"']],
    ],
    ['a type of a container', { type: 'string' }, [1, 2], [['', 'type', 'a string', 'an array']]],
    [
      'an enum',
      { enum: ['red', 'green', 3, null] },
      'blue',
      [['', 'enum', '"red", "green", 3 or null', '"blue"']],
    ],
    ['a const', { const: 'a' }, 'b', [['', 'const', '"a"', '"b"']]],
    ['a minimum', { minimum: 1 }, 0, [['', 'minimum', 'at least 1', '0']]],
    ['a maximum', { maximum: 1 }, 2, [['', 'maximum', 'at most 1', '2']]],
    [
      'exclusive limits',
      { exclusiveMinimum: 0, exclusiveMaximum: 0 },
      0,
      [
        ['', 'exclusiveMinimum', 'more than 0', '0'],
        ['', 'exclusiveMaximum', 'less than 0', '0'],
      ],
    ],
    ['a step', { multipleOf: 0.01 }, 1.005, [['', 'multipleOf', 'a multiple of 0.01', '1.005']]],
    ['a short text', { minLength: 3 }, '😀', [['', 'minLength', 'at least 3 characters', '1']]],
    ['a long text', { maxLength: 1 }, 'ab', [['', 'maxLength', 'at most 1 character', '2']]],
    ['a pattern', { pattern: '^[a-z]+$' }, 'A', [['', 'pattern', 'text that matches ^[a-z]+$', '"A"']]],
    ['a format', { format: 'date' }, 'today', [['', 'format', 'a date such as 2026-01-31', '"today"']]],
    ['too few items', { minItems: 1 }, [], [['', 'minItems', 'at least 1 item', '0']]],
    ['too many items', { maxItems: 1 }, [1, 2], [['', 'maxItems', 'at most 1 item', '2']]],
    [
      'equal items',
      { uniqueItems: true },
      [1, 2, 1],
      [['', 'uniqueItems', 'no two equal items', 'equal items at 0 and 2']],
    ],
    [
      'an item',
      { prefixItems: [true], items: { type: 'null' } },
      [1, null, 2],
      [['/2', 'type', 'null', '2']],
    ],
    [
      'contains',
      { contains: { const: 1 }, minContains: 2 },
      [1],
      [['', 'contains', 'at least 2 items that are 1', '1']],
    ],
    ['a missing member', object({}, { required: ['a'] }), {}, [['', 'required', 'the member "a"', 'none']]],
    [
      'an unknown member',
      object({ page: true, size: true }, { additionalProperties: false }),
      { sise: 1 },
      [['', 'additionalProperties', 'no members but "size" or "page"', '"sise"']],
    ],
    [
      'a member of an empty object',
      object({}, { additionalProperties: false }),
      { a: 1 },
      [['', 'additionalProperties', 'no members', '"a"']],
    ],
    [
      'an unknown member where names follow a pattern',
      object({ id: true }, { patternProperties: { '^x-': true }, additionalProperties: false }),
      { y: 1 },
      [['', 'additionalProperties', 'no members but "id", or those whose names match ^x-', '"y"']],
    ],
    [
      'a name out of a list',
      { propertyNames: { enum: ['low', 'high'] } },
      { hgh: 1 },
      [['', 'propertyNames', 'no members but "high" or "low"', '"hgh"']],
    ],
    [
      'null for what may be left out',
      object(
        { limit: { type: 'integer' }, unit: { enum: ['c', 'f'] }, q: { type: 'string' } },
        { required: ['q'] },
      ),
      { limit: null, unit: null, q: null },
      [
        ['/limit', 'type', 'an integer or left out', 'null'],
        ['/unit', 'enum', '"c" or "f" or left out', 'null'],
        ['/q', 'type', 'a string', 'null'],
      ],
    ],
    [
      'null for a union that may be left out',
      object({ v: { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] } }),
      { v: null },
      [['/v', 'anyOf', 'a string or an object or left out', 'null']],
    ],
    [
      'null within what may be left out',
      object({ v: { type: 'array', items: { type: 'string' } } }),
      { v: [null] },
      [['/v/0', 'type', 'a string', 'null']],
    ],
    [
      'an address with letters that are not ASCII',
      { format: 'uri' },
      'https://de.wikipedia.org/wiki/Köln',
      [
        [
          '',
          'format',
          'an absolute URI such as https://example.com/a%20b, all but ASCII percent-encoded',
          '"https://de.wikipedia.org/wiki/Köln"',
        ],
      ],
    ],
    [
      'a member by pattern',
      { patternProperties: { '^n': { type: 'number' } } },
      { n1: 'x' },
      [['/n1', 'type', 'a number', 'the string "x"']],
    ],
    [
      'a member name',
      { propertyNames: { pattern: '^[a-z]+$' } },
      { A: 1 },
      [['', 'propertyNames', 'only member names that match ^[a-z]+$', '"A"']],
    ],
    ['too few members', { minProperties: 1 }, {}, [['', 'minProperties', 'at least 1 member', '0']]],
    ['too many members', { maxProperties: 0 }, { a: 1 }, [['', 'maxProperties', 'at most 0 members', '1']]],
    [
      'a member that another one needs',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      [['', 'dependentRequired', 'the member "b" beside "a"', 'none']],
    ],
    [
      'a schema that another member brings',
      { dependentSchemas: { a: { required: ['c'] } } },
      { a: 1 },
      [['', 'required', 'the member "c"', 'none']],
    ],
    [
      'a member that must not be there',
      object({ a: false }),
      { a: 1 },
      [['/a', '(false)', 'absent', 'present']],
    ],
    ['not', { not: { type: 'string' } }, 'a', [['', 'not', 'other than a string', '"a"']]],
    ['not anything', { not: {} }, 1, [['', 'not', 'absent', 'present']]],
    ['not one value', { not: { const: 'x' } }, 'x', [['', 'not', 'other than "x"', '"x"']]],
    [
      'not by pattern',
      { not: { pattern: '^x' } },
      'xy',
      [['', 'not', 'other than text that matches ^x', '"xy"']],
    ],
    ['not with a member', { not: { required: ['a'] } }, { a: 1 }, [['', 'not', 'no member "a"', 'it']]],
    [
      'not with members at once',
      { not: { type: 'object', required: ['a', 'b', 'c'] } },
      { a: 1, b: 2, c: 3 },
      [['', 'not', 'not all of the members "a", "b" and "c"', 'all of them']],
    ],
    [
      'not of several things',
      { not: { type: 'string', minLength: 1, pattern: 'a' } },
      'a',
      [['', 'not', 'other than what "not" describes', '"a"']],
    ],
    [
      'members of which one may be there',
      { oneOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }] },
      { a: 1, c: 1 },
      [['', 'oneOf', 'only one of the members "a", "b" or "c"', '"a" and "c"']],
    ],
    [
      'a constant that is a small object',
      { const: { a: 1 } },
      { a: 2 },
      [['', 'const', '{"a":1}', 'an object of 1 member']],
    ],
    [
      'too long a name',
      { propertyNames: { maxLength: 2 } },
      { abc: 1 },
      [['', 'propertyNames', 'only member names that are text of at most 2 characters', '"abc"']],
    ],
    [
      'a name that is no UUID',
      { propertyNames: { format: 'uuid' } },
      { a: 1 },
      [['', 'propertyNames', 'only member names that are a UUID', '"a"']],
    ],
    [
      'then',
      { if: { required: ['a'] }, then: { required: ['b'] } },
      { a: 1 },
      [['', 'required', 'the member "b"', 'none']],
    ],
    [
      'else',
      { if: { required: ['a'] }, else: { required: ['b'] } },
      {},
      [['', 'required', 'the member "b"', 'none']],
    ],
    [
      'what a reference leads to',
      { $ref: '#/$defs/a', $defs: { a: { maximum: 1 } } },
      2,
      [['', 'maximum', 'at most 1', '2']],
    ],
    [
      'each part of allOf, equal ones once',
      { allOf: [{ maximum: 1 }, { multipleOf: 2 }, { maximum: 1 }] },
      3,
      [
        ['', 'maximum', 'at most 1', '3'],
        ['', 'multipleOf', 'a multiple of 2', '3'],
      ],
    ],
    [
      'an unevaluated member',
      { allOf: [object({ abc: true })], properties: { b: true }, unevaluatedProperties: false },
      { abc: 1, abd: 2 },
      [['', 'unevaluatedProperties', 'no members but "abc" or "b"', '"abd"']],
    ],
    [
      'an unevaluated item',
      { prefixItems: [true], unevaluatedItems: { type: 'null' } },
      [1, 2],
      [['/1', 'type', 'null', '2']],
    ],
    [
      'a pointer with escapes',
      object({ 'a/b~c': { type: 'null' } }),
      { 'a/b~c': 1 },
      [['/a~1b~0c', 'type', 'null', '1']],
    ],
  ];
  test.each(cases)('%s', (_name, schema, value, expected) => {
    expect(issuesOf(schema, value)).toEqual(expected);
  });

  test('the message is one sentence of these', () => {
    const [be] = compileSchema({ maximum: 10 }).explain(11);
    const [have] = compileSchema({ required: ['a'] }).explain({});
    expect([be?.message, have?.message]).toEqual([
      'must be at most 10, but is 11',
      'must have the member "a", but has none',
    ]);
  });
});

describe('an explanation stays small and shows no secrets', () => {
  test('at most 20 issues', () => {
    const schema = compileSchema({ items: { required: ['a', 'b'] } });
    expect(schema.explain(Array.from({ length: 500 }, () => ({})))).toHaveLength(20);
  });

  test('long texts, arrays and objects are shown by what they are', () => {
    const secret = 'sk-live-0123456789';
    const long = `${secret}${'x'.repeat(100_000)}`;
    expect(issuesOf({ maximum: 1, enum: [1] }, long)).toEqual([
      ['', 'enum', '1', `a string of ${long.length} characters`],
    ]);
    expect(issuesOf({ enum: [1] }, { secret })).toEqual([['', 'enum', '1', 'an object of 1 member']]);
    expect(issuesOf({ enum: [1] }, [secret, secret])).toEqual([['', 'enum', '1', 'an array of 2 items']]);
  });

  test.each(['password', 'writeOnly'])('a value that the schema calls a secret (%s) is not shown', (mark) => {
    const secret = mark === 'password' ? { format: 'password' } : { writeOnly: true };
    const issues = compileSchema(
      object({ key: { type: 'string', pattern: '^sk-', minLength: 20, enum: ['sk-'], ...secret } }),
    ).explain({ key: 'hunter2' });
    expect(issues.length).toBeGreaterThan(1);
    expect(JSON.stringify(issues)).not.toContain('hunter2');
    expect(
      JSON.stringify(
        compileSchema(object({ key: { type: 'integer', ...secret } })).explain({ key: 'hunter2' }),
      ),
    ).not.toContain('hunter2');
  });

  test('a schema of a thousand names and values is shortened', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `name${index}`);
    const schema = compileSchema({
      properties: { ...Object.fromEntries(many.map((name) => [name, true])), kind: { enum: many } },
      additionalProperties: false,
    });
    for (const issue of schema.explain({ kind: 'x', other: 1 }))
      expect(JSON.stringify(issue).length).toBeLessThan(1_200);
  });

  test('names and texts of a value cannot change how a line is shown', () => {
    const issues = compileSchema({
      additionalProperties: false,
      properties: {},
      propertyNames: { maxLength: 3 },
    }).explain({
      'a\n\u202eb': 1,
      ['n'.repeat(10_000)]: 2,
    });
    for (const { message, expected, actual } of issues) {
      expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(actual.length).toBeLessThanOrEqual(42);
      expect(expected.length).toBeLessThan(300);
    }
  });

  test('a pointer never grows beyond what helps', () => {
    const schema = compileSchema({ additionalProperties: { $ref: '#' }, type: 'object' });
    const name = 'm'.repeat(200);
    const [issue] = schema.explain({ [name]: { [name]: { [name]: 1 } } });
    expect(issue?.pointer).toBe(`/${name}`);
  });

  test('a huge union is explained in bounded time', () => {
    const branch = (index: number): object =>
      object({ [`m${index}`]: { $ref: '#' } }, { required: [`m${index}`] });
    const schema = compileSchema({ anyOf: Array.from({ length: 400 }, (_, index) => branch(index)) });
    let value: JsonValue = 5;
    for (let depth = 0; depth < 30; depth += 1) value = { m7: value };
    expect(schema.explain(value).length).toBeGreaterThan(0);
  });
});

test('a value has issues exactly when it does not match, and each has a short text', () => {
  const value = fc.jsonValue({ maxDepth: 3 }).map((json) => json as JsonValue);
  const schema = compileSchema({
    anyOf: [
      object({ a: { $ref: '#' }, b: { type: 'string' } }, { required: ['a'] }),
      { type: 'array', items: { $ref: '#' } },
      { type: 'number' },
    ],
    not: { const: 0 },
  });
  fc.assert(
    fc.property(value, (sample) => {
      const issues = schema.explain(sample);
      expect(issues.length === 0).toBe(schema.check(sample));
      for (const issue of issues) {
        expect(issue.actual.length).toBeLessThanOrEqual(60);
        expect(issue.message.length).toBeLessThan(700);
        expect(Object.isFrozen(issue)).toBe(true);
      }
    }),
  );
});
