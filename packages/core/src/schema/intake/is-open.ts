import type { JsonObject } from '../../json/json-value.ts';

/** What may say more about the members of an object than its `properties` do. */
const closing = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'maxProperties',
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'not',
  'enum',
  'const',
];

/** Whether a schema of an object lets through members that it does not name, without saying so. */
export function isOpen(json: JsonObject): boolean {
  if (json['type'] !== 'object' && !Object.hasOwn(json, 'properties')) return false;
  return !closing.some((keyword) => Object.hasOwn(json, keyword));
}
