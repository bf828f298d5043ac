import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { keywordShapes } from '../keywords.ts';
import { listMember } from '../member.ts';
import type { Dialect } from '../schema.ts';
import { typesOf } from './type-set.ts';

/** Keywords that name or hold schemas and ask nothing of a value. */
const silent: readonly string[] = ['$id', '$anchor', '$dynamicAnchor', '$defs', 'definitions'];

/** The keywords of `json` that may refuse a value. */
export function assertingKeywords(json: JsonObject, dialect: Dialect): readonly string[] {
  const shapes = keywordShapes[dialect];
  return Object.keys(json).filter((keyword) => shapes.has(keyword) && !silent.includes(keyword));
}

/** The types that pass as bits, for a schema that asks for nothing but a type: by `type`, or by `anyOf` of such. */
export function pureTypes(json: JsonValue, dialect: Dialect): number | undefined {
  return isJsonObject(json) ? pureTypesBy(assertingKeywords(json, dialect), json, dialect) : undefined;
}

/** {@link pureTypes} of a schema whose asserting keywords are known. */
export function pureTypesBy(
  [keyword, another]: readonly string[],
  json: JsonObject,
  dialect: Dialect,
): number | undefined {
  if (another !== undefined) return undefined;
  if (keyword === 'type') return typesOf(json);
  if (keyword !== 'anyOf') return undefined;
  let types = 0;
  for (const branch of listMember(json, 'anyOf')) {
    const more = pureTypes(branch, dialect);
    if (more === undefined) return undefined;
    types |= more;
  }
  return types;
}
