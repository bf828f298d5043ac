import type { JsonObject, JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';

/** The types that each keyword speaks about; a keyword that is not here speaks about all. */
const KEYWORD_TYPES: Readonly<Record<string, readonly string[]>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: ['string', 'number', 'integer'],
  contentEncoding: ['string'],
  contentMediaType: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  items: ['array'],
  prefixItems: ['array'],
  contains: ['array'],
  minContains: ['array'],
  maxContains: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  unevaluatedItems: ['array'],
  properties: ['object'],
  patternProperties: ['object'],
  additionalProperties: ['object'],
  required: ['object'],
  propertyNames: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
  dependentRequired: ['object'],
  dependentSchemas: ['object'],
  unevaluatedProperties: ['object'],
  propertyOrdering: ['object'],
};

/** Whether a keyword says anything about one of the types. */
export function speaksAbout(keyword: string, types: readonly string[]): boolean {
  const about = Object.hasOwn(KEYWORD_TYPES, keyword) ? KEYWORD_TYPES[keyword] : undefined;
  return about === undefined || about.some((type) => types.includes(type));
}

/**
 * The types a schema names, or those that its values and keywords leave no doubt about; `undefined` is any type, an
 * empty list none.
 */
export function typesOf(node: JsonObject): readonly string[] | undefined {
  const type = memberOf(node, 'type');
  if (type !== undefined)
    return (isJsonArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  const values = memberOf(node, 'enum');
  if (Object.hasOwn(node, 'const')) return [typeOfValue(node['const'] ?? null)];
  if (isJsonArray(values)) return distinct(values.map(typeOfValue));
  for (const keyword of [
    'properties',
    'required',
    'additionalProperties',
    'items',
    'prefixItems',
    'pattern',
  ]) {
    const about = Object.hasOwn(node, keyword) ? KEYWORD_TYPES[keyword] : undefined;
    if (about !== undefined) return about;
  }
  if (['minLength', 'maxLength'].some((keyword) => Object.hasOwn(node, keyword))) return ['string'];
  if (['minItems', 'maxItems'].some((keyword) => Object.hasOwn(node, keyword))) return ['array'];
  return ['minimum', 'maximum', 'multipleOf'].some((keyword) => Object.hasOwn(node, keyword))
    ? ['number']
    : undefined;
}

/** `integer` and `number` together are `number`. */
function distinct(types: readonly string[]): readonly string[] {
  const all = new Set(types);
  if (all.has('number')) all.delete('integer');
  return [...all];
}

function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'object' ? 'object' : typeof value;
}
