import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import fc from 'fast-check';
import Type from 'typebox';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as z3 from 'zod/v3';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';
import { readInput } from './read-input.ts';

const unsupported = (...words: readonly string[]): unknown =>
  expect.objectContaining({
    code: 'schema/input-unsupported',
    message: expect.stringMatching(new RegExp(words.join('.*'))),
  });

describe('a plain JSON Schema', () => {
  test('is taken as it is written, and has no library', () => {
    const source = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: { type: 'string' } },
    };
    const input = readInput(source);
    expect(input).toEqual({ json: source });
    expect(Object.keys(input)).toEqual(['json']);
  });

  test('is copied and frozen', () => {
    const source = { type: 'object', properties: { a: { type: 'string' } } };
    const { json } = readInput(source);
    source.properties.a.type = 'number';
    expect(json).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
    expect(Object.isFrozen(json['properties'])).toBe(true);
  });

  test('of TypeBox is one too', () => {
    const source = Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer({ minimum: 1 })) });
    expect(readInput(source)).toEqual({
      json: {
        type: 'object',
        required: ['city'],
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
      },
    });
  });

  test('is closed only when that is asked for', () => {
    const source = { type: 'object', properties: { a: { type: 'object', properties: {} } } };
    expect(readInput(source, { unknownMembers: 'allow' }).json).toEqual(source);
    expect(readInput(source, { unknownMembers: 'refuse' }).json).toEqual({
      type: 'object',
      properties: { a: { type: 'object', properties: {}, additionalProperties: false } },
      additionalProperties: false,
    });
  });

  test.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'string'],
    ['a function', () => 1],
    ['a list', []],
    ['a regular expression inside', Type.Object({ a: Type.String({ pattern: /a/ }) })],
    ['a class instance', new Map()],
    ['a boolean', true],
  ])('is not %s', (_name, source) => {
    expect(() => readInput(source as object)).toThrow(
      expect.objectContaining({ code: 'schema/not-a-schema' }),
    );
  });

  test('with a getter that throws is refused by code', () => {
    const source = Object.defineProperty({}, '~standard', {
      get: () => {
        throw new Error('secret');
      },
    });
    expect(() => readInput(source)).toThrow(
      expect.objectContaining({
        code: 'schema/not-a-schema',
        message: expect.not.stringContaining('secret'),
      }),
    );
  });
});

describe('the JSON Schema of a library', () => {
  const closed = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'number' } },
    required: ['city'],
    additionalProperties: false,
  };

  test.each([
    ['zod', z.object({ city: z.string(), days: z.number().optional() })],
    ['valibot', toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number()) }))],
    ['arktype', type({ city: 'string', 'days?': 'number' })],
  ])('of %s is closed, without $schema, and names the library', (library, source) => {
    const input = readInput(source);
    expect([input.library, input.json]).toEqual([library, closed]);
  });

  test('lists required members, defaults and enums as the library demands them', () => {
    const source = z.object({
      location: z.string(),
      units: z.enum(['celsius', 'fahrenheit']).default('celsius'),
      reason: z.string().nullable(),
    });
    expect(readInput(source).json).toEqual({
      type: 'object',
      properties: {
        location: { type: 'string' },
        units: { default: 'celsius', type: 'string', enum: ['celsius', 'fahrenheit'] },
        reason: { type: ['string', 'null'] },
      },
      required: ['location', 'reason'],
      additionalProperties: false,
    });
  });

  test('stays open where the library says so, and everywhere when unknown members are allowed', () => {
    const open = z.object({
      loose: z.looseObject({}),
      map: z.record(z.string(), z.number()),
      rest: z.object({}).catchall(z.string()),
    });
    const { properties } = readInput(open).json;
    expect(properties).toEqual({
      loose: { type: 'object', properties: {}, additionalProperties: {} },
      map: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } },
      rest: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
    });
    expect(readInput(z.object({ a: z.object({}) }), { unknownMembers: 'allow' }).json).toEqual({
      type: 'object',
      properties: { a: { type: 'object', properties: {} } },
      required: ['a'],
    });
  });

  test('of an object without members is closed and not empty', () => {
    expect(readInput(z.object({})).json).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  test('of a union keeps its branches, each closed', () => {
    const page = z.object({ type: z.literal('page'), url: z.string() });
    const quiz = z.object({ type: z.literal('quiz') });
    const branches = [
      {
        type: 'object',
        properties: { type: { type: 'string', const: 'page' }, url: { type: 'string' } },
        required: ['type', 'url'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { type: { type: 'string', const: 'quiz' } },
        required: ['type'],
        additionalProperties: false,
      },
    ];
    expect(readInput(z.discriminatedUnion('type', [page, quiz])).json).toEqual({ oneOf: branches });
    expect(readInput(z.union([page, quiz])).json).toEqual({ anyOf: branches });
  });

  test('of a recursive type is finite and checks recursive values', () => {
    const field: z.ZodType = z.lazy(() =>
      z.union([
        z.object({ type: z.string() }).describe('scalar'),
        z.object({ object: z.record(z.string(), field) }).describe('nested'),
      ]),
    );
    const schema = compileSchema(readInput(z.object({ field })).json);
    const nested = (depth: number): JsonValue =>
      depth === 0 ? { type: 'x' } : { object: { a: nested(depth - 1) } };
    expect(schema.check({ field: nested(20) })).toBe(true);
    expect(schema.check({ field: { object: { a: { type: 1 } } } })).toBe(false);
  });

  test('has the same text each time it is made', () => {
    const make = (): string =>
      JSON.stringify(
        readInput(type.scope({ node: { name: 'string', children: 'node[]' } }).export().node).json,
      );
    expect(make()).toBe(make());
    expect(make()).toContain('"#/$defs/def1"');
  });

  test('is asked for by 2020-12 only', () => {
    const targets: unknown[] = [];
    const source = {
      '~standard': {
        version: 1 as const,
        vendor: 'mine',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: (options: { readonly target: string }) => {
            targets.push(options);
            return { type: 'object', properties: {} };
          },
          output: () => ({}),
        },
      },
    };
    expect(readInput(source)).toMatchObject({
      library: 'mine',
      json: { type: 'object', properties: {}, additionalProperties: false },
    });
    expect(targets).toEqual([{ target: 'draft-2020-12' }]);
  });
});

describe('a library that cannot say its JSON Schema is refused with its name and the fix', () => {
  const lossy = (json: JsonObject, more: object): object => ({
    '~standard': {
      version: 1,
      vendor: 'old',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json },
    },
    ...more,
  });

  const throwing = (what: unknown): object => ({
    '~standard': {
      version: 1,
      vendor: 'old',
      jsonSchema: {
        input: () => {
          throw what;
        },
      },
    },
  });

  test.each<[string, () => unknown, readonly string[]]>([
    [
      'plain Valibot',
      () => v.object({ a: v.number() }),
      ['valibot', 'toStandardJsonSchema', '@valibot/to-json-schema'],
    ],
    ['Zod 3', () => z3.object({ a: z3.number() }), ['zod 3', 'Zod 4']],
    ['Zod mini', () => mini.object({ a: mini.number() }), ['zod 4', 'z\\.toJSONSchema']],
    [
      'a shape of Zod schemas',
      () => ({ a: z.number(), b: z.number() }),
      ['zod', 'wrap it in an object schema'],
    ],
    ['a shape of Zod 3 schemas', () => ({ a: z3.number() }), ['zod', 'wrap it']],
    ['a shape of Valibot schemas', () => ({ a: v.number() }), ['valibot', 'wrap it']],
    ['a Zod date', () => z.object({ d: z.date() }), ['zod 4', 'Date cannot be represented']],
    ['a Zod bigint', () => z.object({ d: z.bigint() }), ['zod 4', 'BigInt']],
    ['a Zod custom type', () => z.object({ d: z.custom<string>() }), ['zod 4', 'Custom']],
    ['a Zod file', () => z.object({ d: z.array(z.file().optional()) }), ['zod 4', 'base64']],
    ['a Valibot date', () => toStandardJsonSchema(v.object({ d: v.date() })), ['valibot', 'date']],
    [
      'a Valibot step that makes something else',
      () => toStandardJsonSchema(v.object({ d: v.pipe(v.array(v.string()), v.mapItems(Number)) })),
      ['valibot', 'map_items'],
    ],
    ['an ArkType date', () => type({ d: 'Date' }), ['arktype', 'no JSON value']],
    ['an ArkType bigint', () => type({ d: { e: 'bigint[]' } }), ['arktype', 'no JSON value']],
    ['an ArkType Map', () => type({ 'd?': 'Map' }), ['arktype', 'no JSON value']],
    ['an ArkType date at the root', () => type('Date'), ['arktype', 'no JSON value']],
    ['an ArkType symbol key', () => type({ '[symbol]': 'string' }), ['arktype', 'symbol']],
    ['a type that says nothing', () => z.any(), ['zod 4', 'empty JSON Schema']],
    [
      'a conversion that loses all members',
      () => lossy({ type: 'object', properties: {} }, { shape: { a: 1, b: 2 } }),
      ['old', 'keeps 0 of the 2 members'],
    ],
    [
      'a conversion that loses a member',
      () => lossy({ type: 'object', properties: { a: {} } }, { entries: { a: 1, b: 2 } }),
      ['old', 'keeps 1 of the 2 members'],
    ],
    [
      'a conversion that loses a member inside',
      () =>
        lossy(
          { type: 'object', properties: { a: { type: 'object' } } },
          { shape: { a: { shape: { b: 1 } } } },
        ),
      ['old', 'keeps 0 of the 1 members'],
    ],
    [
      'a conversion that loses a property',
      () => lossy({ type: 'object' }, { props: [{ key: 'a', value: {} }] }),
      ['old', 'keeps 0 of the 1'],
    ],
    [
      'a conversion that loses a union',
      () => lossy({ type: 'object', properties: {} }, { options: [z.object({}), z.object({})] }),
      ['old', 'alternatives of a union'],
    ],
    ['a conversion to nothing', () => lossy({ description: 'd' }, {}), ['old', 'empty JSON Schema']],
    ['a conversion to a boolean', () => lossy(true as never, {}), ['old', 'boolean']],
    ['a conversion that throws no error', () => throwing('text'), ['old', 'it threw']],
    ['a conversion that throws an empty error', () => throwing(new Error('')), ['old', 'it threw']],
    ['an ArkType literal that is no JSON', () => type({ d: '1n' }), ['arktype', 'no JSON value']],
    [
      'a union that lost its branches inside',
      () =>
        lossy(
          { type: 'object', properties: { u: { type: 'object' } } },
          { shape: { u: { options: [z.object({})] } } },
        ),
      ['old', 'alternatives'],
    ],
    [
      'a library that says neither',
      () => ({ '~standard': { version: 1, vendor: '', validate: () => 1 } }),
      ['unnamed library', 'give its JSON Schema'],
    ],
  ])('%s', (_name, source, words) => {
    expect(() => readInput(source() as object)).toThrow(unsupported(...words));
  });

  test('so is a conversion that overflows the stack', () => {
    const input = (): unknown => input();
    const source = {
      '~standard': {
        version: 1 as const,
        vendor: 'deep',
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input, output: input },
      },
    };
    expect(() => readInput(source as object)).toThrow(unsupported('deep', 'call stack'));
  });

  test.each([
    ['a refinement of Zod', z.object({ a: z.array(z.string().refine(async () => true)) })],
    ['a check of Zod', z.object({ a: z.string().check(async () => undefined) })],
    ['a lazy check of Zod', z.object({ a: z.lazy(() => z.string().refine(async () => true)) })],
    ['a transform of Zod', z.object({ a: z.optional(z.string().transform(async (text) => text)) })],
    ['a narrowing of ArkType', type({ a: type('string').narrow((async () => false) as never) })],
    ['a morph of ArkType', type({ a: type('string').pipe(async (text) => text) })],
    ['a promise', z.object({ d: z.promise(z.number()).optional() })],
    ['a promise of it all', z.promise(z.object({ d: z.number() }))],
  ])('so is %s that is asynchronous', (_name, source) => {
    expect(() => readInput(source)).toThrow(
      expect.objectContaining({
        code: 'schema/input-asynchronous',
        message: expect.stringContaining('handler'),
      }),
    );
  });

  test.each<[string, object]>([
    [
      'a shape that its library hides',
      Object.defineProperty(lossy({ type: 'object' }, {}), 'shape', {
        get: () => {
          throw new Error('hidden');
        },
      }),
    ],
    [
      'a reference to a definition',
      lossy(
        { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { x: {} } } } },
        { shape: { x: 1 } },
      ),
    ],
    [
      'a reference that cannot be compared',
      lossy(
        { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'object' } } },
        { shape: { x: 1 } },
      ),
    ],
    [
      'members that are named by symbols',
      lossy(
        { type: 'object', properties: { a: true } },
        { props: [{ key: Symbol('s') }, { key: 'a' }, null] },
      ),
    ],
  ])('but not %s', (_name, source) => {
    expect(readInput(source).library).toBe('old');
  });

  test('but a morph or a refinement only narrows, and is left to the library', () => {
    expect(readInput(type({ d: 'string.date.parse' })).json['properties']).toEqual({ d: { type: 'string' } });
    expect(readInput(z.object({ d: z.string().refine((text) => text !== '') })).json['properties']).toEqual({
      d: { type: 'string' },
    });
    expect(readInput(type({ d: 'string | undefined' })).json['properties']).toEqual({
      d: { anyOf: [{ type: 'string' }, { not: {} }] },
    });
  });
});

describe('what is advertised is what the library takes', () => {
  test.each([
    ['Zod', z.object({ a: z.array(z.string().regex(/^[a-z]$/i)), b: z.string().regex(/^[0-9]$/u) })],
    ['ArkType', type({ a: type(/^[a-z]$/i).array(), b: /^[0-9]$/ })],
  ])(
    'a pattern of %s with flags is left to the library, since JSON Schema cannot say them',
    (_name, source) => {
      const { json, validate } = readInput(source as object);
      expect(json['properties']).toEqual({
        a: { type: 'array', items: { type: 'string' } },
        b: { type: 'string', pattern: '^[0-9]$' },
      });
      expect([validate?.({ a: ['A'], b: '1' }).kind, validate?.({ a: ['1'], b: '1' }).kind]).toEqual([
        'valid',
        'invalid',
      ]);
    },
  );

  const leaf = fc.constantFrom<z.ZodType>(
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.enum(['x', 'y']),
    z.literal(3),
    z.array(z.string()),
    z.int(),
    z.uuid(),
    z.iso.date(),
  );
  const { shape } = fc.letrec<{ shape: z.ZodObject; member: z.ZodType }>((tie) => ({
    member: fc.oneof(
      { maxDepth: 3 },
      leaf,
      leaf.map((inner) => inner.nullable()),
      leaf.map((inner) => inner.optional()),
      z3Default(),
      tie('shape'),
    ),
    shape: fc
      .dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'to/string'), tie('member'), {
        maxKeys: 4,
        noNullPrototype: true,
      })
      .map((members) => z.object(members)),
  }));

  function z3Default(): fc.Arbitrary<z.ZodType> {
    return fc.constantFrom<z.ZodType>(z.string().default('d'), z.number().prefault(1));
  }

  /** The smallest value that a generated schema lets through. */
  function smallest(json: JsonObject): JsonValue {
    const {
      type: name,
      enum: values,
      const: value,
      format,
      anyOf,
    } = json as {
      readonly type?: JsonValue;
      readonly enum?: readonly JsonValue[];
      readonly const?: JsonValue;
      readonly format?: string;
      readonly anyOf?: readonly JsonObject[];
    };
    if (value !== undefined) return value;
    if (values !== undefined) return values[0] ?? null;
    if (anyOf !== undefined) return smallest(anyOf[0] ?? {});
    if (format === 'uuid') return '00000000-0000-0000-0000-000000000000';
    if (format === 'date') return '2024-02-29';
    switch (Array.isArray(name) ? name[0] : name) {
      case 'string':
        return '';
      case 'number':
      case 'integer':
        return 0;
      case 'boolean':
        return false;
      case 'array':
        return [];
      case 'object': {
        const properties = json['properties'] as Record<string, JsonObject>;
        const required = (json['required'] ?? []) as readonly string[];
        return Object.fromEntries(required.map((member) => [member, smallest(properties[member] ?? {})]));
      }
      default:
        return null;
    }
  }

  test('the smallest value of the advertised schema passes both', () => {
    fc.assert(
      fc.property(shape, (source) => {
        const { json, validate } = readInput(source);
        const value = smallest(json);
        expect(compileSchema(json).check(value)).toBe(true);
        expect(validate?.(value).kind).toBe('valid');
      }),
    );
  });
});

describe('the verdict of a library', () => {
  test('carries the typed value, with defaults and transforms', () => {
    const source = z.object({ days: z.number().default(3), at: z.string().transform((text) => text.length) });
    expect(readInput(source).validate?.({ at: 'four' })).toEqual({
      kind: 'valid',
      value: { days: 3, at: 4 },
    });
  });

  test.each([
    [
      'zod',
      z.object({ list: z.array(z.string().refine((text) => text !== 'no', 'must not be no')) }),
      'custom',
    ],
    [
      'arktype',
      type({
        list: type('string')
          .narrow((text, context) => text !== 'no' || context.mustBe('yes'))
          .array(),
      }),
      'predicate',
    ],
    [
      'valibot',
      toStandardJsonSchema(v.object({ list: v.array(v.pipe(v.string(), v.minLength(3))) })),
      'valibot',
    ],
  ])('of %s says where and why', (_name, source, keyword) => {
    const verdict = readInput(source as object).validate?.({ list: ['yes', 'no'] });
    expect(verdict).toMatchObject({
      kind: 'invalid',
      issues: [{ pointer: '/list/1', keyword, message: expect.any(String) }],
    });
  });

  test('of an asynchronous check is no verdict', () => {
    const source = z.object({ a: z.string().refine(() => Promise.resolve(true)) });
    expect(readInput(source).validate?.({ a: 'x' })).toEqual({ kind: 'asynchronous' });
  });

  test("that comes later is no verdict, and its rejection is nobody else's", async () => {
    expect(readInput(answering(Promise.reject(new Error('later')))).validate?.({})).toEqual({
      kind: 'asynchronous',
    });
    await new Promise((resolve) => setImmediate(resolve));
  });

  const answering = (answer: unknown): object => ({
    '~standard': {
      version: 1,
      vendor: 'odd',
      validate: () => answer,
      jsonSchema: { input: () => ({ type: 'object' }) },
    },
  });

  test('with odd issues is still a bounded refusal', () => {
    const issues = [
      { message: 'x'.repeat(5_000), path: [{ key: 'a/b' }, 0, Symbol('s')], code: 'not a code!' },
      null,
      'text',
    ];
    expect(readInput(answering({ issues })).validate?.({})).toEqual({
      kind: 'invalid',
      issues: [
        expect.objectContaining({ pointer: '/a~1b/0/Symbol(s)', keyword: 'odd', message: 'x'.repeat(300) }),
        expect.objectContaining({ pointer: '', message: 'is not accepted' }),
        expect.objectContaining({ pointer: '', message: 'is not accepted' }),
      ],
    });
    expect(readInput(answering({ issues: [] })).validate?.({})).toMatchObject({
      kind: 'invalid',
      issues: [{ pointer: '' }],
    });
    expect(readInput(answering({ issues: 'none' })).validate?.({})).toMatchObject({ kind: 'invalid' });
    const many = Array.from({ length: 1_000 }, () => ({ message: 'no' }));
    const verdict = readInput(answering({ issues: many })).validate?.({});
    expect(verdict?.kind === 'invalid' && verdict.issues.length).toBe(100);
  });

  test('that is no answer is an error, never a pass', () => {
    for (const answer of [undefined, null, true, 'ok']) {
      expect(() => readInput(answering(answer)).validate?.({})).toThrow(TypeError);
    }
  });
});
