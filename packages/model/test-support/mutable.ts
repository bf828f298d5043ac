import type { JsonObject, JsonValue } from '@toolgate/core';

/**
 * The same type with nothing readonly in it, for comparison with client types, which are mutable. JSON of any shape
 * becomes what clients call unknown.
 */
export type Mutable<Type> = JsonValue extends Type
  ? unknown
  : Type extends readonly unknown[]
    ? MutableList<Type>
    : Type extends JsonObject
      ? JsonObject extends Type
        ? { [name: string]: unknown }
        : { -readonly [Name in keyof Type]: Mutable<Type[Name]> }
      : Type;

type MutableList<List extends readonly unknown[]> = number extends List['length']
  ? Mutable<List[number]>[]
  : List extends readonly [infer First, ...infer Rest]
    ? [Mutable<First>, ...MutableList<Rest>]
    : [];
