import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import Type from 'typebox';
import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import type { JsonArray, JsonObject, JsonValue } from '../../json/json-value.ts';
import type { FromJsonSchema } from './from-json-schema.ts';
import type { InferInput, InferOutput } from './infer.ts';
import type { Input, InputSource } from './input.ts';
import { readInput } from './read-input.ts';

test('Zod gives its own input and output types', () => {
  const source = z.object({
    city: z.string(),
    days: z.number().default(3),
    at: z.string().transform((text) => text.length),
  });
  expectTypeOf<InferInput<typeof source>>().toEqualTypeOf<{
    city: string;
    days?: number | undefined;
    at: string;
  }>();
  expectTypeOf<InferOutput<typeof source>>().toEqualTypeOf<{ city: string; days: number; at: number }>();
  expectTypeOf(source).toExtend<InputSource>();
});

test('Valibot, wrapped, gives its own input and output types', () => {
  const source = toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) }));
  expectTypeOf<InferInput<typeof source>>().toEqualTypeOf<{ city: string; days?: number | undefined }>();
  expectTypeOf<InferOutput<typeof source>>().toEqualTypeOf<{ city: string; days: number }>();
  expectTypeOf(source).toExtend<InputSource>();
});

test('ArkType gives its own input and output types', () => {
  const source = type({ city: 'string', days: 'number = 3' });
  expectTypeOf<InferInput<typeof source>>().toEqualTypeOf<{ city: string; days?: number }>();
  expectTypeOf<InferOutput<typeof source>>().toEqualTypeOf<{ city: string; days: number }>();
  expectTypeOf(source).toExtend<InputSource>();
});

test('TypeBox schemas are read by their structure', () => {
  const source = Type.Object({
    city: Type.String(),
    days: Type.Optional(Type.Integer()),
    unit: Type.Union([Type.Literal('c'), Type.Literal('f')]),
    size: Type.Enum(['s', 'm']),
    tags: Type.Array(Type.String()),
    pair: Type.Tuple([Type.String(), Type.Number()]),
    labels: Type.Record(Type.String(), Type.Number()),
    nested: Type.Object({ on: Type.Boolean() }),
    raw: Type.Unsafe<'x' | 'y'>({ type: 'string' }),
    anything: Type.Unknown(),
  });
  expectTypeOf<InferOutput<typeof source>>().toEqualTypeOf<{
    city: string;
    days?: number;
    unit: 'c' | 'f';
    size: 's' | 'm';
    tags: string[];
    pair: [string, number];
    labels: Record<string, number>;
    nested: { on: boolean };
    raw: 'x' | 'y';
    anything: JsonValue;
  }>();
  expectTypeOf(source).toExtend<InputSource>();
});

test('TypeBox intersections and all-optional objects are read', () => {
  const both = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]);
  expectTypeOf<InferOutput<typeof both>>().toEqualTypeOf<{ a: string } & { b: number }>();
  const optional = Type.Object({ a: Type.Optional(Type.String()) });
  expectTypeOf<InferOutput<typeof optional>>().toEqualTypeOf<{ a?: string }>();
});

test('a JSON Schema literal is read', () => {
  const source = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      name: { type: ['string', 'null'] },
      kind: { enum: ['a', 'b', 3] },
      fixed: { const: 'x' },
      list: { type: 'array', items: { type: 'boolean' } },
      loose: { type: 'array' },
      map: { type: 'object', additionalProperties: { type: 'number' } },
      open: {},
      yes: true,
      either: {
        anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'null' } }, required: ['a'] }],
      },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      rest: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    },
    required: ['id', 'fixed'],
  } as const;
  expectTypeOf<InferInput<typeof source>>().toEqualTypeOf<{
    id: number;
    fixed: 'x';
    name?: string | null;
    kind?: 'a' | 'b' | 3;
    list?: boolean[];
    loose?: JsonArray;
    map?: Record<string, number>;
    open?: JsonValue;
    yes?: JsonValue;
    either?: string | { a: null };
    pair?: [string, number];
    rest?: [string, ...number[]];
  }>();
  expectTypeOf<InferOutput<typeof source>>().toEqualTypeOf<InferInput<typeof source>>();
});

test('a schema without a literal type is any JSON object at the root', () => {
  expectTypeOf<InferOutput<JsonObject>>().toEqualTypeOf<JsonObject>();
  expectTypeOf<InferOutput<Record<string, unknown>>>().toEqualTypeOf<JsonObject>();
  expectTypeOf<InferOutput<{ readonly type: 'object' }>>().toEqualTypeOf<JsonObject>();
  expectTypeOf<FromJsonSchema<true>>().toEqualTypeOf<JsonValue>();
  expectTypeOf<FromJsonSchema<false>>().toEqualTypeOf<never>();
});

test('a required-only union beside properties keeps the properties', () => {
  type Source = {
    readonly type: 'object';
    readonly properties: { readonly a: { readonly type: 'string' }; readonly b: { readonly type: 'string' } };
    readonly anyOf: readonly [{ readonly required: readonly ['a'] }, { readonly required: readonly ['b'] }];
  };
  expectTypeOf<FromJsonSchema<Source>>().toEqualTypeOf<{ a?: string; b?: string }>();
});

test('wrong uses do not compile', () => {
  const source = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
  const value: InferOutput<typeof source> = { id: 1 };
  // @ts-expect-error -- id is a number
  value.id = 'one';
  // @ts-expect-error -- id is required
  const empty: InferOutput<typeof source> = {};
  // @ts-expect-error -- there is no such member
  const unknownMember: unknown = value.name;
  expectTypeOf([empty, unknownMember]).toBeArray();
});

test('reading an input keeps the type of its values', () => {
  const typed = readInput(z.object({ days: z.number().default(3) }));
  expectTypeOf(typed).toEqualTypeOf<Input<{ days: number }>>();
  expectTypeOf(typed.json).toEqualTypeOf<JsonObject>();
  const plain = readInput({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  } as const);
  expectTypeOf(plain).toEqualTypeOf<Input<{ a: string }>>();
  // @ts-expect-error -- a text declares no input
  readInput('object');
  // @ts-expect-error -- there is no such setting
  readInput({ type: 'object' }, { unknownMembers: 'strip' });
});
