import type { JsonObject, JsonValue } from '@toolgate/core';
import { isEmptyList, isObject } from '../value-shape.ts';

/** Members of a schema that hold schemas by name. */
const BY_NAME: readonly string[] = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
];
/** Members of a schema that hold one, or a list of them. */
const NESTED: readonly string[] = [
  'items',
  'prefixItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
];
/** No schema that is deeper can be compiled. */
const MAX_DEPTH = 100;

/**
 * A schema with an empty object wherever one has to be and an empty list is: PHP writes both alike, and most of its
 * tools without arguments come so.
 */
export function withoutEmptyLists(schema: JsonValue | undefined): JsonValue | undefined {
  if (schema === undefined) return undefined;
  return isEmptyList(schema) ? {} : mend(schema, 0);
}

function mend(schema: JsonValue, depth: number): JsonValue {
  if (!isObject(schema) || depth > MAX_DEPTH) return schema;
  const changed: Record<string, JsonValue> = {};
  for (const name of BY_NAME) {
    const value = own(schema, name);
    if (isEmptyList(value)) changed[name] = {};
    else if (isObject(value)) note(changed, name, value, members(value, depth));
  }
  for (const name of NESTED) {
    const value = own(schema, name);
    if (Array.isArray(value)) note(changed, name, value, list(value, depth));
    else if (isObject(value)) note(changed, name, value, mend(value, depth + 1));
  }
  return Object.keys(changed).length === 0 ? schema : { ...schema, ...changed };
}

function members(schemas: JsonObject, depth: number): JsonObject {
  const entries = Object.entries(schemas);
  const mended = entries.map(([name, value]): [string, JsonValue] => [
    name,
    isEmptyList(value) ? {} : mend(value, depth + 1),
  ]);
  return mended.every(([, value], index) => value === entries[index]?.[1])
    ? schemas
    : Object.fromEntries(mended);
}

function list(schemas: readonly JsonValue[], depth: number): readonly JsonValue[] {
  const mended = schemas.map((value) => mend(value, depth + 1));
  return mended.every((value, index) => value === schemas[index]) ? schemas : mended;
}

function note(changed: Record<string, JsonValue>, name: string, before: JsonValue, after: JsonValue): void {
  if (after !== before) changed[name] = after;
}

function own(schema: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}
