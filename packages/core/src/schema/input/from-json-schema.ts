import type { JsonArray, JsonObject, JsonValue } from '../../json/json-value.ts';

/**
 * The type of the values that a JSON Schema literal describes, as far as the literal says: `type`, `properties`,
 * `required`, `items`, `prefixItems`, `additionalProperties`, `const`, `enum`, `anyOf`, `oneOf`, `allOf`. What it
 * does not say is a {@link JsonValue}. Write the schema `as const`; a TypeBox schema carries its type as it is.
 */
export type FromJsonSchema<SchemaLiteral> = Known<Read<SchemaLiteral>>;

/** `unknown` (nothing was said) becomes any JSON value. */
type Known<Type> = unknown extends Type ? JsonValue : Type;

type Simplify<Type> = { [Key in keyof Type]: Type[Key] } & {};

type List = readonly unknown[];

// TypeBox's `Unsafe` and each wide schema type must be told apart before keywords are looked at.
type Read<Source> = Source extends boolean
  ? Source extends false
    ? never
    : unknown
  : Source extends { readonly '~unsafe': infer Type }
    ? Type
    : string extends keyof Source
      ? unknown
      : ReadOwn<Source> & ReadUnion<Source, 'anyOf'> & ReadUnion<Source, 'oneOf'> & ReadAll<Source>;

type ReadOwn<Source> = Source extends { readonly const: infer Value }
  ? Value
  : Source extends { readonly enum: infer Values extends List }
    ? Values[number]
    : Source extends { readonly type: infer Name }
      ? ReadType<Name extends List ? Name[number] : Name, Source>
      : Source extends { readonly properties: object }
        ? ReadObject<Source>
        : unknown;

type ReadUnion<Source, Keyword extends 'anyOf' | 'oneOf'> = Source extends {
  readonly [Key in Keyword]: infer Branches;
}
  ? Branches extends List
    ? ReadEach<Branches[number]>
    : unknown
  : unknown;

type ReadEach<Branch> = Branch extends unknown ? Read<Branch> : never;

type ReadAll<Source> = Source extends { readonly allOf: infer Branches } ? ReadEvery<Branches> : unknown;

type ReadEvery<Branches> = Branches extends readonly [infer First, ...infer Rest]
  ? Read<First> & ReadEvery<Rest>
  : unknown;

// Distributes over the type names of a list.
type ReadType<Name, Source> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? ReadArray<Source>
          : Name extends 'object'
            ? ReadObject<Source>
            : unknown;

type ReadArray<Source> = Source extends { readonly prefixItems: infer Items extends List }
  ? ReadTuple<Items, Source extends { readonly items: infer Rest } ? Rest : true>
  : Source extends { readonly items: infer Items }
    ? Items extends List
      ? ReadTuple<Items, Source extends { readonly additionalItems: infer Rest } ? Rest : true>
      : Known<Read<Items>>[]
    : JsonArray;

// An item of a tuple may be missing unless minItems says otherwise; the common case is that all are there.
type ReadTuple<Items extends List, Rest> = Rest extends false
  ? TupleOf<Items>
  : [...TupleOf<Items>, ...Known<Read<Rest>>[]];

type TupleOf<Items extends List> = Items extends readonly [infer First, ...infer Others]
  ? [Known<Read<First>>, ...TupleOf<Others>]
  : [];

type ReadObject<Source> = Source extends { readonly properties: infer Properties extends object }
  ? Simplify<
      {
        -readonly [Key in keyof Properties & string as Key extends RequiredName<Source> ? Key : never]: Known<
          Read<Properties[Key]>
        >;
      } & {
        -readonly [Key in keyof Properties & string as Key extends RequiredName<Source>
          ? never
          : Key]?: Known<Read<Properties[Key]>>;
      }
    >
  : Source extends { readonly additionalProperties: infer Values extends object }
    ? Record<string, Known<Read<Values>>>
    : Source extends { readonly patternProperties: infer Patterns extends object }
      ? Record<string, Known<Read<Patterns[keyof Patterns]>>>
      : JsonObject;

type RequiredName<Source> = Source extends { readonly required: infer Names extends List }
  ? Names[number]
  : never;
