import { appendPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { keywordShapes } from './keywords.ts';
import { isJsonArray, isJsonObject } from './member.ts';
import type { Dialect } from './schema.ts';

/** One subschema directly below another. */
export interface Subschema {
  /** From the schema above to this one (RFC 6901). */
  readonly path: string;
  readonly json: JsonObject | boolean;
}

/**
 * The subschemas directly below `json`, in document order. Beside `$ref`, draft-07 knows no other keyword, but
 * definitions still stand there to be referred to.
 */
export function subschemas(json: JsonObject, dialect: Dialect): readonly Subschema[] {
  const found: Subschema[] = [];
  const add = (path: string, value: JsonValue): void => {
    if (typeof value === 'boolean' || isJsonObject(value)) found.push({ path, json: value });
  };
  for (const keyword of liveKeywords(json, dialect)) {
    const value = json[keyword];
    if (value === undefined) continue;
    const path = appendPointer('', keyword);
    const shape = keywordShapes[dialect].get(keyword);
    if (shape === 'schema' || (shape === 'schema-or-list' && !isJsonArray(value))) {
      add(path, value);
    } else if (shape === 'schema-list' || shape === 'schema-or-list') {
      if (isJsonArray(value))
        for (const [index, item] of value.entries()) add(appendPointer(path, index), item);
    } else if (shape === 'schema-map' || shape === 'dependency-map') {
      if (isJsonObject(value))
        for (const [name, item] of Object.entries(value)) add(appendPointer(path, name), item);
    }
  }
  return found;
}

/** The keywords of `json` that mean something: all of them, but draft-07 looks past what stands beside `$ref`. */
export function liveKeywords(json: JsonObject, dialect: Dialect): readonly string[] {
  const keywords = Object.keys(json);
  if (dialect !== 'draft-07' || !Object.hasOwn(json, '$ref')) return keywords;
  return keywords.filter((keyword) => keyword === '$ref' || keyword === 'definitions');
}
