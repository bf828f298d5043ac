import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import type { Projected } from './projected.ts';
import type { SchemaProfile } from './schema-profile.ts';
import type { Place, Walk } from './walk.ts';

/** What nothing matches. Where it cannot be left out it is shown as anything, and the original refuses. */
export const NEVER: Projected = Object.freeze({ schema: {}, never: true });

/** Every type, each as a schema of its own. */
function anyTypes(profile: SchemaProfile): readonly JsonObject[] {
  const text = { type: spellType('string', profile) };
  return [
    { ...text, nullable: true },
    ...['number', 'boolean', 'object'].map((type) => ({ type: spellType(type, profile) })),
    { type: spellType('array', profile), items: text },
  ];
}

/** A schema that takes anything, in the form of the profile. Strict modes have none. */
export function anyLeaf(node: JsonObject, place: Place, walk: Walk): Projected {
  const { profile } = walk;
  if (profile.strict !== undefined) walk.refuseStrict(place.pointer, 'a value of any type cannot be strict');
  const notes = annotationsOf(node, profile);
  if (!profile.typed || profile.strict !== undefined) return { schema: notes };
  return { schema: describeUnion(notes, anyTypes(profile), profile) };
}

/** The annotations of a schema that the profile keeps. */
export function annotationsOf(node: JsonObject, profile: SchemaProfile): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const keyword of ['title', 'description']) {
    const value = memberOf(node, keyword);
    if (typeof value === 'string' && keeps(keyword, profile)) kept[keyword] = value;
  }
  return kept;
}

/** A union with its annotations: beside it where that is allowed, else in its first branch. */
export function describeUnion(
  notes: JsonObject,
  branches: readonly JsonObject[],
  profile: SchemaProfile,
): JsonObject {
  if (profile.unions !== 'bare' || Object.keys(notes).length === 0) return { ...notes, anyOf: branches };
  return { anyOf: branches.map((branch, index) => (index === 0 ? describeFirst(notes, branch) : branch)) };
}

function describeFirst(notes: JsonObject, branch: JsonObject): JsonObject {
  const { anyOf } = branch;
  if (!isJsonArray(anyOf)) return { ...notes, ...branch };
  return {
    anyOf: anyOf.map((each, index) =>
      index === 0 && isJsonObject(each) ? describeFirst(notes, each) : each,
    ),
  };
}

/** A schema with annotations that belong to the place where it stands; they go before its own. */
export function describe(notes: JsonObject, schema: JsonObject, profile: SchemaProfile): JsonObject {
  const { anyOf } = schema;
  if (profile.unions !== 'bare' || !isJsonArray(anyOf)) return { ...schema, ...notes };
  return describeUnion(notes, anyOf.filter(isJsonObject), profile);
}

/** The schema to write where one has to stand: what nothing matches is said as such, or shown as anything. */
export function shown({ schema, never }: Projected, place: Place, walk: Walk): JsonObject {
  if (never !== true) return schema;
  return walk.profile.keywords === 'all' ? { not: {} } : anyLeaf({}, place, walk).schema;
}

/** Whether a keyword may stay. */
export function keeps(keyword: string, profile: SchemaProfile): boolean {
  if (profile.without?.includes(keyword) === true) return false;
  return profile.keywords === 'all' || profile.keywords.includes(keyword);
}

/** The name of a type as the profile spells it. */
export function spellType(type: string, profile: SchemaProfile): string {
  return profile.capitals === true ? type.toUpperCase() : type;
}

/** The schema with `null` added to what it accepts. */
export function nullable(schema: JsonObject, profile: SchemaProfile): JsonObject {
  return profile.nulls === 'keyword' ? withNullable(schema) : withNullType(schema);
}

function withNullable(schema: JsonObject): JsonObject {
  const { anyOf } = schema;
  if (!isJsonArray(anyOf)) return { ...schema, nullable: true };
  return { ...schema, anyOf: anyOf.map((branch) => (isJsonObject(branch) ? withNullable(branch) : branch)) };
}

function withNullType(schema: JsonObject): JsonObject {
  const { type, anyOf, title, description, ...rest } = schema;
  if (isJsonArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined || Object.hasOwn(schema, 'const')) {
    if (Object.keys(rest).length === 0 && type === undefined) return schema;
    return {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      anyOf: [type === undefined ? rest : { type, ...rest }, { type: 'null' }],
    };
  }
  const types = isJsonArray(type) ? type : [type];
  const values = schema['enum'];
  if (types.includes('null')) return schema;
  return {
    ...schema,
    type: [...types, 'null'],
    ...(isJsonArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}
