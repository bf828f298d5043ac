import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import { jsonKey } from './json-key.ts';

/** Whether a value has the shape of a projected schema. */
export type ShapeMatcher = (value: JsonValue, schema: JsonValue) => boolean;

/**
 * Makes a matcher that looks at types, constants, members and items. Ranges, lengths and patterns do not count; they
 * tell no branches apart that would be restored differently. It finds the branch of a union and validates nothing.
 *
 * Each pair of value and schema is looked at once, so that branches that share members cost no more than their product.
 */
export function createShapeMatcher(definitions: JsonObject): ShapeMatcher {
  const known = new Map<JsonObject, Map<JsonObject | JsonArray, boolean>>();

  const matches: ShapeMatcher = (value, schema) => {
    if (!isJsonObject(schema)) return schema !== false;
    if (typeof value !== 'object' || value === null) return judge(value, schema);
    const verdicts = known.get(schema) ?? new Map<JsonObject | JsonArray, boolean>();
    known.set(schema, verdicts);
    const verdict = verdicts.get(value) ?? judge(value, schema);
    verdicts.set(value, verdict);
    return verdict;
  };

  const judge = (value: JsonValue, schema: JsonObject): boolean => {
    const reference = memberOf(schema, '$ref');
    if (typeof reference === 'string') {
      const target = memberOf(definitions, reference.slice('#/$defs/'.length));
      return target === undefined || matches(value, target);
    }
    const { type, anyOf, items } = schema;
    if (type !== undefined && !(isJsonArray(type) ? type : [type]).some((each) => hasType(value, each)))
      return false;
    if (isJsonArray(anyOf) && !anyOf.some((branch) => matches(value, branch))) return false;
    if (isJsonArray(schema['enum']) && !schema['enum'].some((each) => same(each, value))) return false;
    if (Object.hasOwn(schema, 'const') && !same(schema['const'] ?? null, value)) return false;
    if (isJsonArray(value)) return items === undefined || value.every((item) => matches(item, items));
    return !isJsonObject(value) || hasMembers(value, schema);
  };

  const hasMembers = (value: JsonObject, schema: JsonObject): boolean => {
    const { properties, required } = schema;
    if (
      isJsonArray(required) &&
      !required.every((name) => typeof name === 'string' && Object.hasOwn(value, name))
    ) {
      return false;
    }
    const described = isJsonObject(properties) ? properties : {};
    return Object.entries(value).every(([name, member]) => {
      const expected = memberOf(described, name);
      return expected === undefined ? schema['additionalProperties'] !== false : matches(member, expected);
    });
  };

  return matches;
}

function hasType(value: JsonValue, type: JsonValue): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return isJsonArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function same(left: JsonValue, right: JsonValue): boolean {
  return left === right || (typeof left === 'object' && jsonKey(left) === jsonKey(right));
}
