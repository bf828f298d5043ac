import { appendPointer, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray, memberOf, setMember } from '../codec/wire-reader.ts';
import { jsonKey } from './json-key.ts';

const HIGHER: ReadonlySet<string> = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
]);
const LOWER: ReadonlySet<string> = new Set([
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
]);
/** Annotations say something about one place; the outer one is meant for it. */
const OUTER_WINS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
]);

/**
 * One schema that means both, for endpoints without `allOf`. What cannot be said in one schema keeps the outer side and
 * is a loss. Members that both describe become an `allOf` of the two, merged when it is their turn.
 */
export function mergeSchemas(
  outer: JsonObject,
  inner: JsonObject,
  pointer: string,
  log: LossLog,
): JsonObject {
  const result: Record<string, JsonValue> = { ...outer };
  for (const [keyword, value] of Object.entries(inner)) {
    const own = memberOf(outer, keyword);
    if (keyword === 'properties' || keyword === 'additionalProperties') continue;
    if (own === undefined) {
      setMember(result, keyword, value);
      continue;
    }
    const both = combine(keyword, own, value);
    if (both !== undefined) setMember(result, keyword, both);
    else {
      log.add(
        'approximated',
        appendPointer(pointer, keyword),
        'warning',
        'two values apply at once and only one can be said',
      );
    }
  }
  mergeMembers(result, outer, inner);
  return result;
}

function combine(keyword: string, own: JsonValue, value: JsonValue): JsonValue | undefined {
  if (OUTER_WINS.has(keyword)) return own;
  if (keyword === 'required' && isJsonArray(own) && isJsonArray(value))
    return [...new Set([...own, ...value])];
  if (keyword === 'allOf' && isJsonArray(own) && isJsonArray(value)) return [...own, ...value];
  if (keyword === 'type') return intersectTypes(own, value);
  if (keyword === 'enum' && isJsonArray(own) && isJsonArray(value)) {
    const known = new Set(value.map(jsonKey));
    return own.filter((each) => known.has(jsonKey(each)));
  }
  if (keyword === '$defs' || keyword === 'definitions') return own;
  if (keyword === 'items' || keyword === 'contains' || keyword === 'propertyNames')
    return { allOf: [own, value] };
  if (typeof own === 'number' && typeof value === 'number') {
    if (HIGHER.has(keyword)) return Math.max(own, value);
    if (LOWER.has(keyword)) return Math.min(own, value);
  }
  if (keyword === 'uniqueItems') return own === true || value === true;
  return jsonKey(own) === jsonKey(value) ? own : undefined;
}

/** Common types; an integer is a number. With none in common nothing is accepted, which `[]` says. */
function intersectTypes(own: JsonValue, value: JsonValue): JsonValue {
  const left = isJsonArray(own) ? own : [own];
  const right = isJsonArray(value) ? value : [value];
  const common = new Set<JsonValue>();
  for (const type of left) {
    if (right.includes(type) || (type === 'integer' && right.includes('number'))) common.add(type);
    else if (type === 'number' && right.includes('integer')) common.add('integer');
  }
  const types = [...common];
  return types.length === 1 ? (types[0] ?? []) : types;
}

/** The side of a merge as far as it speaks about members. */
interface Side {
  readonly described: JsonObject | undefined;
  readonly others: JsonValue | undefined;
  /** A member may be allowed by a pattern; then `additionalProperties` does not speak about it. */
  readonly patterns: boolean;
}

function sideOf(schema: JsonObject): Side {
  const described = memberOf(schema, 'properties');
  return {
    described: isJsonObject(described) ? described : undefined,
    others: memberOf(schema, 'additionalProperties'),
    patterns: isJsonObject(memberOf(schema, 'patternProperties')),
  };
}

function mergeMembers(result: Record<string, JsonValue>, outer: JsonObject, inner: JsonObject): void {
  const sides = [sideOf(outer), sideOf(inner)];
  const names = new Set(sides.flatMap(({ described }) => Object.keys(described ?? {})));
  if (sides.some(({ described }) => described !== undefined)) {
    const members: Record<string, JsonValue> = {};
    for (const name of names) setMember(members, name, both(sides.flatMap((side) => saidOf(side, name))));
    result['properties'] = members;
  }
  const others = sides.flatMap(({ others: each }) => (each === undefined ? [] : [each]));
  if (others.length > 0) result['additionalProperties'] = others.includes(false) ? false : both(others);
}

function saidOf({ described, others, patterns }: Side, name: string): readonly JsonValue[] {
  const own = described === undefined ? undefined : memberOf(described, name);
  if (own !== undefined) return [own];
  return others === undefined || others === true || patterns ? [] : [others];
}

function both(parts: readonly JsonValue[]): JsonValue {
  return parts.length === 1 ? (parts[0] ?? true) : { allOf: parts };
}
