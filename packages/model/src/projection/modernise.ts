import { appendPointer, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray, memberOf, setMember } from '../codec/wire-reader.ts';

const SIMPLE_TYPES: readonly JsonValue[] = [
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
];

/**
 * One schema with the spellings of older drafts and the common slips in their 2020-12 form: `exclusiveMinimum: true`,
 * `items` as a list, `dependencies`, `required: true`, `type: "any"`, `$recursiveRef`. Subschemas are left alone.
 */
export function modernise(node: JsonObject, pointer: string, log: LossLog): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(node)) {
    const rewritten = rewrite(node, keyword, value);
    if (rewritten === 'as-is') setMember(result, keyword, value);
    else if (rewritten === 'malformed') {
      log.add(
        'dropped',
        appendPointer(pointer, keyword),
        'warning',
        'the keyword has a value that it cannot have',
      );
    } else
      for (const [name, each] of rewritten) if (!Object.hasOwn(result, name)) setMember(result, name, each);
  }
  return result;
}

type Rewritten = 'as-is' | 'malformed' | readonly (readonly [keyword: string, value: JsonValue])[];

function rewrite(node: JsonObject, keyword: string, value: JsonValue): Rewritten {
  switch (keyword) {
    case 'type':
      return types(value);
    case 'properties':
    case '$defs':
    case 'definitions':
    case 'patternProperties':
      return isJsonObject(value) ? 'as-is' : 'malformed';
    case 'required':
      if (typeof value === 'boolean') return [];
      return isJsonArray(value) && value.every((name) => typeof name === 'string') ? 'as-is' : 'malformed';
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return isJsonArray(value) && value.length > 0 ? 'as-is' : 'malformed';
    case 'enum':
      return isJsonArray(value) ? 'as-is' : 'malformed';
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return exclusive(node, keyword, value);
    case 'minimum':
    case 'maximum':
      return memberOf(node, keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum') === true
        ? []
        : 'as-is';
    case 'items':
      return isJsonArray(value) ? [['prefixItems', value]] : 'as-is';
    case 'additionalItems':
      return isJsonArray(memberOf(node, 'items')) ? [['items', value]] : [];
    case 'dependencies':
      return isJsonObject(value) ? dependencies(value) : 'malformed';
    case '$recursiveRef':
    case '$dynamicRef':
      return [['$ref', value]];
    default:
      return 'as-is';
  }
}

function types(value: JsonValue): Rewritten {
  const list = isJsonArray(value) ? value : [value];
  if (list.includes('any')) return [];
  const known = list.filter((type) => SIMPLE_TYPES.includes(type));
  if (known.length === 0) return 'malformed';
  return known.length === list.length ? 'as-is' : [['type', known]];
}

function exclusive(node: JsonObject, keyword: string, value: JsonValue): Rewritten {
  if (typeof value === 'number') return 'as-is';
  const bound = memberOf(node, keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum');
  return value === true && typeof bound === 'number' ? [[keyword, bound]] : [];
}

function dependencies(value: JsonObject): Rewritten {
  const required: Record<string, JsonValue> = {};
  const schemas: Record<string, JsonValue> = {};
  for (const [name, each] of Object.entries(value))
    setMember(isJsonArray(each) ? required : schemas, name, each);
  const result: [string, JsonValue][] = [];
  if (Object.keys(required).length > 0) result.push(['dependentRequired', required]);
  if (Object.keys(schemas).length > 0) result.push(['dependentSchemas', schemas]);
  return result;
}
