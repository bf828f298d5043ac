import type { JsonObject } from '@toolgate/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complaints } from '../../test-support/endpoint-rules.ts';
import { anySchema } from '../../test-support/schemas.ts';
import { projectSchema } from './project-schema.ts';
import { SCHEMA_PROFILES, type SchemaTarget } from './schema-profiles.ts';

const TARGETS = Object.keys(SCHEMA_PROFILES) as SchemaTarget[];

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

test('a schema that is referred to and that nothing matches cannot be offered', () => {
  const never = { anyOf: [{ allOf: [false] }] };
  const schemas = [
    object({ a: { $ref: '#' } }, { ...never, oneOf: [{ required: ['a'] }, { oneOf: [] }] }),
    object({ a: { $ref: '#/$defs/none' } }, { $defs: { none: { allOf: [false] } } }),
  ];
  for (const schema of schemas)
    expect(projectSchema(schema, 'openai-strict')).toMatchObject({
      fit: 'unfit',
      losses: expect.arrayContaining([expect.objectContaining({ code: 'refused' })]),
    });
});

describe('what every endpoint gets', () => {
  test.each(TARGETS)(
    '%s: no schema whatever is projected onto something that the endpoint refuses',
    (target) => {
      fc.assert(
        fc.property(anySchema, (schema) => {
          const { schema: projected, fit, losses } = projectSchema(schema, target);
          const effective =
            fit === 'plain' ? (SCHEMA_PROFILES[target].strict?.fallback.id ?? target) : target;
          if (fit === 'unfit') expect(losses.some(({ code }) => code === 'refused')).toBe(true);
          else expect(complaints(projected, effective as SchemaTarget)).toEqual([]);
        }),
        { numRuns: 100 },
      );
    },
  );

  test.each(TARGETS)(
    '%s: the schema is not changed, the result is frozen and the same each time',
    (target) => {
      fc.assert(
        fc.property(anySchema, (schema) => {
          const before = structuredClone(schema);
          const first = projectSchema(schema, target);
          expect(schema).toEqual(before);
          expect(JSON.stringify(projectSchema(schema, target))).toBe(JSON.stringify(first));
          expect(Object.isFrozen(first.schema)).toBe(true);
          expect(
            first.schema['properties'] === undefined || Object.isFrozen(first.schema['properties']),
          ).toBe(true);
          expect(Object.isFrozen(schema)).toBe(false);
        }),
        { numRuns: 25 },
      );
    },
  );

  test.each(TARGETS)('%s: the plainest tool goes through as it is', (target) => {
    const schema = object({ city: { type: 'string', description: 'A city.' } }, { required: ['city'] });
    const { schema: projected, losses, fit } = projectSchema(schema, target);
    expect(fit).toBe(target.endsWith('-strict') ? 'strict' : 'plain');
    expect(losses).toEqual([]);
    expect(JSON.stringify(projected).toLowerCase()).toContain(
      '"city":{"type":"string","description":"a city."}',
    );
  });
});

describe('references', () => {
  test('keywords beside a reference are merged into what it leads to', () => {
    const schema = object(
      { q: { $ref: '#/$defs/QuestionOption', minLength: 1, description: 'Mine.' } },
      { $defs: { QuestionOption: { type: 'string', description: 'Theirs.', maxLength: 9 } } },
    );
    expect(projectSchema(schema, 'openai').schema['properties']).toEqual({
      q: { type: 'string', description: 'Mine.', minLength: 1, maxLength: 9 },
    });
  });

  test('a reference to any place in the schema is followed, not only to definitions', () => {
    const schema = object({
      headers: { type: 'object' },
      actions: { type: 'array', items: { $ref: '#/properties/headers' } },
    });
    expect(projectSchema(schema, 'gemini').schema['properties']).toMatchObject({
      actions: { type: 'ARRAY', items: { type: 'OBJECT' } },
    });
    expect(complaints(projectSchema(schema, 'anthropic').schema, 'anthropic')).toEqual([]);
  });

  test('pointers with escapes, anchors and the own base address are local references', () => {
    const schema = object(
      {
        a: { $ref: '#/$defs/x~1y' },
        b: { $ref: '#named' },
        c: { $ref: 'https://example.com/tool#/$defs/x~1y' },
        d: { $ref: '#/$defs/na%C3%AFve' },
      },
      {
        $id: 'https://example.com/tool',
        $defs: {
          'x/y': { type: 'string' },
          other: { $anchor: 'named', type: 'integer' },
          naïve: { type: 'boolean' },
        },
      },
    );
    const { schema: projected, fit } = projectSchema(schema, 'gemini');
    expect(fit).toBe('plain');
    expect(projected['properties']).toEqual({
      a: { type: 'STRING' },
      b: { type: 'INTEGER' },
      c: { type: 'STRING' },
      d: { type: 'BOOLEAN' },
    });
  });

  test('recursion is kept where references are known and cut at the stated depth where they are not', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, name: { type: 'string' } } };
    const schema = object({ first: { $ref: '#/$defs/Node' } }, { $defs: { Node: node } });
    expect(projectSchema(schema, 'anthropic').schema).toEqual(schema);
    const { schema: cut, losses } = projectSchema(schema, 'gemini', { recursionDepth: 2 });
    expect(cut).toMatchObject({
      properties: {
        first: {
          properties: { next: { properties: { next: { type: 'OBJECT' }, name: { type: 'STRING' } } } },
        },
      },
    });
    expect(JSON.stringify(cut).match(/"next"/g)).toHaveLength(2);
    expect(losses).toContainEqual(
      expect.objectContaining({ code: 'approximated', path: '/$defs/Node/properties/next' }),
    );
  });

  test('two definitions that include each other are cut as well', () => {
    const schema = object(
      { a: { $ref: '#/$defs/A' } },
      {
        $defs: {
          A: { type: 'object', properties: { ref1: { $ref: '#/$defs/B' } } },
          B: { type: 'object', properties: { ref1: { $ref: '#/$defs/A' } } },
        },
      },
    );
    const { schema: projected, fit } = projectSchema(schema, 'gemini');
    expect(fit).toBe('plain');
    expect(JSON.stringify(projected)).not.toContain('$ref');
  });

  test.each([
    ['a reference to nowhere', object({ a: { $ref: '#/$defs/Missing' } })],
    ['a remote reference', object({ a: { $ref: 'https://example.com/schema.json' } })],
    ['a reference to itself', object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { $ref: '#/$defs/A' } } })],
    ['a broken escape', object({ a: { $ref: '#/%zz' } })],
    ['a root that is a list', { type: 'array', items: { type: 'string' } }],
    ['a root that nothing matches', { type: 'object', allOf: [false] }],
  ])('%s makes the tool unfit, with a reason', (_, schema) => {
    for (const target of TARGETS) {
      const { fit, losses, schema: projected, restore } = projectSchema(schema, target);
      expect(fit).toBe('unfit');
      expect(losses.filter(({ code }) => code === 'refused')).toHaveLength(1);
      expect(projected).toEqual({ type: 'object' });
      expect(restore({ a: 1 })).toEqual({ a: 1 });
    }
  });
});

describe('bounds', () => {
  test('references that double at each step do not double the result', () => {
    const definitions: Record<string, JsonObject> = { d0: { type: 'string' } };
    for (let level = 1; level <= 40; level += 1) {
      const $ref = `#/$defs/d${level - 1}`;
      definitions[`d${level}`] = object({ left: { $ref }, right: { $ref } });
    }
    const schema = object({ top: { $ref: '#/$defs/d40' } }, { $defs: definitions });
    expect(JSON.stringify(projectSchema(schema, 'gemini').schema).length).toBeLessThan(400_000);
    expect(JSON.stringify(projectSchema(schema, 'openai').schema).length).toBeLessThan(10_000);
  });

  test('allOf that doubles at each step ends', () => {
    const definitions: Record<string, JsonObject> = { d0: { type: 'object' } };
    for (let level = 1; level <= 40; level += 1) {
      const $ref = `#/$defs/d${level - 1}`;
      definitions[`d${level}`] = { allOf: [{ $ref }, { $ref }] };
    }
    const schema = object({ top: { $ref: '#/$defs/d40' } }, { $defs: definitions });
    for (const target of TARGETS) expect(projectSchema(schema, target).fit).toMatch(/plain|strict|unfit/);
  });

  test('a schema nested without end is unfit and no stack overflow', () => {
    let inner: JsonObject = { type: 'string' };
    for (let level = 0; level < 20_000; level += 1) inner = { type: 'array', items: inner };
    for (const target of TARGETS) expect(projectSchema(object({ inner }), target).fit).toBe('unfit');
  });

  test('a schema with too many members is unfit', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`m${index}`, { type: 'string' }]),
    );
    expect(projectSchema(object(many), 'anthropic').fit).toBe('unfit');
    expect(projectSchema(object(many), 'anthropic', { maxNodes: 10_000 }).fit).toBe('plain');
  });
});

describe('the root', () => {
  test('a choice of required members is said in words and enforced by the contract alone', () => {
    const schema = object(
      { title: {}, body: {} },
      { anyOf: [{ required: ['title'] }, { required: ['body'] }] },
    );
    for (const target of TARGETS) {
      const { schema: projected, losses } = projectSchema(schema, target);
      expect(projected['description']).toBe('(give at least one of: title, body)');
      expect(losses).toContainEqual(expect.objectContaining({ code: 'dropped', path: '/anyOf' }));
    }
    const exactly = object(
      { a: {}, b: {}, c: {} },
      { oneOf: [{ required: ['a', 'b'] }, { required: ['c'] }] },
    );
    expect(projectSchema(exactly, 'openai').schema['description']).toBe('(give exactly one of: a and b, c)');
  });

  test('a union of objects is offered whole under one member and taken out again', () => {
    const page = object({ type: { const: 'page' }, id: { type: 'string' } }, { required: ['type', 'id'] });
    const quiz = object({ type: { const: 'quiz' }, size: { type: 'integer' } }, { required: ['type'] });
    for (const target of TARGETS) {
      const { schema, losses, restore } = projectSchema({ type: 'object', oneOf: [page, quiz] }, target);
      expect(JSON.stringify(schema)).toMatch(/page.*quiz/);
      expect(losses).toContainEqual(expect.objectContaining({ code: 'relocated', path: '' }));
      expect(restore({ input: { type: 'page', id: 'x' } })).toEqual({ type: 'page', id: 'x' });
      expect(restore({ type: 'page', id: 'x' })).toEqual({ type: 'page', id: 'x' });
    }
  });

  test('allOf and a reference at the root become one object', () => {
    const schema = {
      $ref: '#/$defs/Base',
      allOf: [object({ b: { type: 'integer' } }, { required: ['b'] })],
      $defs: { Base: object({ a: { type: 'string' } }, { required: ['a'] }) },
    };
    const { schema: projected } = projectSchema(schema, 'anthropic');
    expect(projected).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
    });
    expect([...(projected['required'] as string[])].sort()).toEqual(['a', 'b']);
  });

  test('a missing root type is added', () => {
    expect(projectSchema({ properties: {} }, 'openai').schema).toEqual({ type: 'object', properties: {} });
  });
});

describe('keywords', () => {
  const restated: readonly [name: string, schema: JsonObject, target: SchemaTarget, expected: JsonObject][] =
    [
      [
        'an integer enum keeps its type for Gemini and says its values',
        { type: 'integer', enum: [60, 1440] },
        'gemini',
        { type: 'INTEGER', description: '(one of 60, 1440)' },
      ],
      [
        'an enum without a type gets the type of its values',
        { enum: [1, 2] },
        'gemini',
        { type: 'INTEGER', description: '(one of 1, 2)' },
      ],
      [
        'a text enum stays',
        { enum: ['a', 'b', null] },
        'gemini',
        { type: 'STRING', enum: ['a', 'b'], nullable: true },
      ],
      [
        'a format that is not known goes into the description',
        { type: 'string', format: 'uri', description: 'Where.' },
        'gemini',
        { type: 'STRING', description: 'Where. (format uri)' },
      ],
      [
        'a format that is known stays',
        { type: 'string', format: 'date-time' },
        'gemini',
        { type: 'STRING', format: 'date-time' },
      ],
      [
        'an exclusive bound of an integer becomes an inclusive one',
        { type: 'integer', exclusiveMinimum: 0 },
        'gemini',
        { type: 'INTEGER', minimum: 1 },
      ],
      [
        'an exclusive bound of a number is said',
        { type: 'number', exclusiveMinimum: 0 },
        'gemini',
        { type: 'NUMBER', description: '(greater than 0)' },
      ],
      [
        'a bound of draft-04 is read as such',
        { type: 'number', minimum: 3, exclusiveMinimum: true },
        'openai',
        { type: 'number', exclusiveMinimum: 3 },
      ],
      ['a constant text is an enum of one', { const: 'a' }, 'gemini', { type: 'STRING', enum: ['a'] }],
      ['a constant number is said', { const: 5 }, 'gemini', { type: 'INTEGER', description: '(always 5)' }],
      [
        'null is a property of the type for Gemini',
        { type: ['string', 'null'] },
        'gemini',
        { type: 'STRING', nullable: true },
      ],
      [
        'several types are branches for Gemini, each with its own keywords only',
        {
          type: ['object', 'array', 'null'],
          properties: { x: { type: 'string' } },
          items: { type: 'string' },
        },
        'gemini',
        {
          anyOf: [
            { type: 'OBJECT', properties: { x: { type: 'STRING' } }, nullable: true },
            { type: 'ARRAY', items: { type: 'STRING' }, nullable: true },
          ],
        },
      ],
      [
        'null in a union too',
        { anyOf: [{ type: 'string' }, { type: 'null' }] },
        'gemini',
        { type: 'STRING', nullable: true },
      ],
      [
        'what stands beside a union goes into its branches',
        {
          type: 'object',
          properties: { a: { type: 'string' } },
          anyOf: [object({ b: { type: 'string' } }), object({ c: {} })],
        },
        'openai-strict',
        {},
      ],
      ['true is anything', {}, 'openai', {}],
      [
        'a tuple of draft-07 is a tuple',
        { type: 'array', items: [{ type: 'string' }] },
        'anthropic',
        { type: 'array', prefixItems: [{ type: 'string' }] },
      ],
      [
        'a tuple is a list of any of its items for Gemini',
        { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false },
        'gemini',
        {
          type: 'ARRAY',
          description: '(a fixed list of 2 items)',
          items: { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] },
          maxItems: 2,
        },
      ],
      ['an array without items gets some', { type: 'array' }, 'openai', { type: 'array', items: {} }],
      [
        'a default is said',
        { type: 'integer', default: 10 },
        'gemini',
        { type: 'INTEGER', description: '(default 10)' },
      ],
      [
        'minItems over one is said',
        { type: 'array', items: { type: 'string' }, minItems: 2 },
        'anthropic-strict',
        { type: 'array', description: '(at least 2 items)', items: { type: 'string' } },
      ],
    ];

  test.each(restated.filter(([, , , expected]) => Object.keys(expected).length > 0))(
    '%s',
    (_, schema, target, expected) => {
      const { schema: projected } = projectSchema(object({ p: schema }, { required: ['p'] }), target);
      expect(projected['properties']).toEqual({ p: expected });
    },
  );

  test('each dropped constraint is a loss with its place, annotations weigh less', () => {
    const schema = object(
      { 'a/b': { type: 'string', format: 'uri', examples: ['x'] } },
      { propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: { type: 'string' }, $schema: 'x' },
    );
    const { losses } = projectSchema(schema, 'gemini');
    expect(losses.map(({ path, severity }) => [path, severity])).toEqual(
      expect.arrayContaining([
        ['/properties/a~1b/format', 'warning'],
        ['/properties/a~1b/examples', 'info'],
        ['/propertyNames', 'warning'],
        ['/additionalProperties', 'warning'],
        ['/$schema', 'info'],
      ]),
    );
  });

  test('a description that would be endless is not written', () => {
    const values = Array.from({ length: 500 }, (_, index) => index);
    const { schema } = projectSchema(object({ p: { type: 'integer', enum: values } }), 'gemini');
    expect(schema['properties']).toEqual({ p: { type: 'INTEGER' } });
  });

  test('members that nothing matches are not offered', () => {
    const { schema, losses } = projectSchema(object({ a: false, b: { type: 'string' } }), 'anthropic');
    expect(schema['properties']).toEqual({ b: { type: 'string' } });
    expect(losses).toEqual([expect.objectContaining({ code: 'dropped', path: '/properties/a' })]);
  });

  test('an endpoint of your own takes out what its table says', () => {
    const profile = { ...SCHEMA_PROFILES.openai, id: 'llama', without: ['pattern', '$schema'] };
    const ids = { type: 'array', items: { type: 'string', pattern: '^(\\d+|imap:[A-Za-z0-9_-]+)$' } };
    expect(projectSchema(object({ ids }), profile).schema).toEqual(
      object({
        ids: {
          type: 'array',
          items: { type: 'string', description: '(matches the pattern ^(\\d+|imap:[A-Za-z0-9_-]+)$)' },
        },
      }),
    );
  });
});

describe('strict mode', () => {
  test('an open map makes this tool plain, with the reason first', () => {
    const schema = object(
      { labels: { type: 'object', additionalProperties: { type: 'string' } }, note: { type: 'string' } },
      { required: ['labels'] },
    );
    const { fit, losses, schema: projected } = projectSchema(schema, 'openai-strict');
    expect(fit).toBe('plain');
    expect(losses[0]).toMatchObject({
      code: 'approximated',
      path: '/properties/labels',
      severity: 'warning',
    });
    expect(projected['required']).toEqual(['labels']);
  });

  test.each<[string, JsonObject]>([
    ['a value of any type', object({ a: {} })],
    [
      'a list with a schema for each place',
      object({ a: { type: 'array', prefixItems: [{ type: 'string' }] } }),
    ],
    ['an object without described members', object({ a: { type: 'object' } })],
    ['an array of anything', object({ a: { type: 'array' } })],
    ['a required member without a schema', object({ a: { type: 'string' } }, { required: ['a', 'b'] })],
    ['eleven objects inside each other', nested(11)],
  ])('%s is not strict', (_, schema) => {
    expect(projectSchema(schema, 'openai-strict').fit).toBe('plain');
  });

  test('ten objects inside each other are', () => {
    expect(projectSchema(nested(10), 'openai-strict').fit).toBe('strict');
  });

  test('a tool without members is closed', () => {
    expect(projectSchema({ type: 'object' }, 'openai-strict').schema).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });
});

function nested(levels: number): JsonObject {
  let schema = object({ leaf: { type: 'string' } });
  for (let level = 1; level < levels; level += 1) schema = object({ inner: schema });
  return schema;
}
