import { appendPointer, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray } from '../codec/wire-reader.ts';

/** Keywords that hold one schema. */
const SINGLE: readonly string[] = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** Keywords that hold a list of schemas. */
const LISTS: readonly string[] = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];

/** Keywords that hold schemas by name. */
const MAPS: readonly string[] = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
];

/** A schema in a schema, and where it stands. */
export interface Subschema {
  readonly schema: JsonObject;
  readonly pointer: string;
}

/** The object schemas directly in a schema. Values that only look like schemas (`const`, `default`) are not among them. */
export function subschemasOf(node: JsonObject, pointer: string): readonly Subschema[] {
  const found: Subschema[] = [];
  const take = (schema: JsonValue | undefined, at: string): void => {
    if (isJsonObject(schema)) found.push({ schema, pointer: at });
  };
  for (const [keyword, value] of Object.entries(node)) {
    const at = appendPointer(pointer, keyword);
    if (SINGLE.includes(keyword)) take(value, at);
    if (LISTS.includes(keyword) && isJsonArray(value)) {
      value.forEach((each, index) => {
        take(each, appendPointer(at, index));
      });
    }
    if (MAPS.includes(keyword) && isJsonObject(value)) {
      for (const [name, each] of Object.entries(value)) {
        take(each, appendPointer(at, name));
      }
    }
  }
  return found;
}

/** How one schema holds another under a keyword. */
export function holds(keyword: string): 'schema' | 'list' | 'map' | undefined {
  if (MAPS.includes(keyword)) return 'map';
  if (LISTS.includes(keyword) && keyword !== 'items') return 'list';
  return SINGLE.includes(keyword) ? 'schema' : undefined;
}
