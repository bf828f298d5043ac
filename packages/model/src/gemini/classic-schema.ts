import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf, setMember } from '../codec/wire-reader.ts';

const TYPES: ReadonlySet<string> = new Set([
  'ARRAY',
  'BOOLEAN',
  'INTEGER',
  'NULL',
  'NUMBER',
  'OBJECT',
  'STRING',
]);

/** Keywords of the classic schema in their other spelling. */
const SNAKE: ReadonlyMap<string, string> = new Map([
  ['any_of', 'anyOf'],
  ['max_items', 'maxItems'],
  ['max_length', 'maxLength'],
  ['max_properties', 'maxProperties'],
  ['min_items', 'minItems'],
  ['min_length', 'minLength'],
  ['min_properties', 'minProperties'],
  ['property_ordering', 'propertyOrdering'],
]);

/** Bounds that the API also takes as text, being 64-bit integers. */
const COUNTS: ReadonlySet<string> = new Set([
  'maxItems',
  'maxLength',
  'maxProperties',
  'minItems',
  'minLength',
  'minProperties',
]);

/**
 * The JSON Schema that a classic schema of Gemini (a part of OpenAPI 3.0) means: types in small letters, `nullable` as
 * a type, counts as numbers.
 */
export function fromClassicSchema(schema: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(schema)) {
    const keyword = SNAKE.get(name) ?? name;
    if (keyword !== 'nullable') setMember(result, keyword, convert(keyword, value));
  }
  return memberOf(schema, 'nullable') === true ? withNull(result) : result;
}

function convert(keyword: string, value: JsonValue): JsonValue {
  if (keyword === 'type') return typeof value === 'string' && TYPES.has(value) ? value.toLowerCase() : value;
  if (COUNTS.has(keyword))
    return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (keyword === 'items') return isJsonObject(value) ? fromClassicSchema(value) : value;
  if (keyword === 'anyOf') return isJsonArray(value) ? value.map(convertEach) : value;
  if (keyword !== 'properties' || !isJsonObject(value)) return value;
  const members: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) setMember(members, name, convertEach(member));
  return members;
}

function convertEach(value: JsonValue): JsonValue {
  return isJsonObject(value) ? fromClassicSchema(value) : value;
}

function withNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  const values = schema['enum'];
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(isJsonArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}
