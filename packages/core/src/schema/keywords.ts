import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isJsonArray } from './member.ts';
import type { Dialect } from './schema.ts';

/** What the value of a keyword must be. The first five hold subschemas. */
export type KeywordShape =
  | 'schema'
  | 'schema-list'
  | 'schema-map'
  | 'schema-or-list'
  | 'schema-or-names-map'
  | 'string'
  | 'boolean'
  | 'number'
  | 'positive'
  | 'count'
  | 'names'
  | 'names-map'
  | 'list'
  | 'type'
  | 'value';

/** Keywords that mean the same in both dialects. Annotations are absent: nothing is asked of them. */
const shared: readonly (readonly [string, KeywordShape])[] = [
  ['$id', 'string'],
  ['$ref', 'string'],
  ['definitions', 'schema-map'],
  ['allOf', 'schema-list'],
  ['anyOf', 'schema-list'],
  ['oneOf', 'schema-list'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['properties', 'schema-map'],
  ['patternProperties', 'schema-map'],
  ['additionalProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['contains', 'schema'],
  ['type', 'type'],
  ['enum', 'list'],
  ['const', 'value'],
  ['multipleOf', 'positive'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['pattern', 'string'],
  ['format', 'string'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['uniqueItems', 'boolean'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['required', 'names'],
];

/**
 * Every keyword that asserts, applies or refers, with the shape of its value.
 *
 * @see JSON Schema Core and Validation, 2020-12 and draft-07.
 */
export const keywordShapes: Readonly<Record<Dialect, ReadonlyMap<string, KeywordShape>>> = {
  '2020-12': new Map<string, KeywordShape>([
    ...shared,
    ['$anchor', 'string'],
    ['$dynamicRef', 'string'],
    ['$dynamicAnchor', 'string'],
    ['$defs', 'schema-map'],
    ['prefixItems', 'schema-list'],
    ['items', 'schema'],
    ['minContains', 'count'],
    ['maxContains', 'count'],
    ['dependentSchemas', 'schema-map'],
    ['dependentRequired', 'names-map'],
    ['unevaluatedItems', 'schema'],
    ['unevaluatedProperties', 'schema'],
  ]),
  'draft-07': new Map<string, KeywordShape>([
    ...shared,
    ['items', 'schema-or-list'],
    ['additionalItems', 'schema'],
    ['dependencies', 'schema-or-names-map'],
  ]),
};

/** Keywords whose subschemas look at the value itself and not into it. */
export const inPlaceKeywords: readonly string[] = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
];

const typeNames: readonly string[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const expectations: Readonly<Record<KeywordShape, string>> = {
  schema: 'a schema (an object or a boolean)',
  'schema-list': 'a list of at least one schema',
  'schema-map': 'an object of schemas',
  'schema-or-list': 'a schema or a list of schemas',
  'schema-or-names-map': 'an object of schemas or name lists',
  string: 'a string',
  boolean: 'a boolean',
  number: 'a number',
  positive: 'a number above zero',
  count: 'a whole number of at least zero',
  names: 'a list of strings',
  'names-map': 'an object of string lists',
  list: 'a list',
  value: 'a value',
  type: `one or more of ${typeNames.join(', ')}`,
};

/**
 * What a keyword's value should have been, or undefined when it is right. Looks one level deep: subschemas are
 * judged where they are walked.
 */
export function misshapen(shape: KeywordShape, value: JsonValue): string | undefined {
  return fits(shape, value) ? undefined : expectations[shape];
}

function fits(shape: KeywordShape, value: JsonValue): boolean {
  switch (shape) {
    case 'schema':
      return typeof value === 'boolean' || isJsonObject(value);
    case 'schema-list':
      return isJsonArray(value) && value.length > 0 && value.every((item) => fits('schema', item));
    case 'schema-map':
      return isJsonObject(value) && Object.values(value).every((item) => fits('schema', item));
    case 'schema-or-list':
      return fits('schema', value) || (isJsonArray(value) && value.every((item) => fits('schema', item)));
    case 'schema-or-names-map':
      return (
        isJsonObject(value) &&
        Object.values(value).every((item) => fits('schema', item) || fits('names', item))
      );
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === shape;
    case 'positive':
      return typeof value === 'number' && value > 0;
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0;
    case 'names':
      return isJsonArray(value) && value.every((item) => typeof item === 'string');
    case 'names-map':
      return isJsonObject(value) && Object.values(value).every((item) => fits('names', item));
    case 'list':
      return isJsonArray(value);
    case 'value':
      return true;
    case 'type':
      return typeof value === 'string'
        ? typeNames.includes(value)
        : isJsonArray(value) &&
            value.length > 0 &&
            value.every((item) => typeof item === 'string' && typeNames.includes(item));
  }
}
