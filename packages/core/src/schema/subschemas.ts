import { joinPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { keywordShapes } from './keywords.ts';
import { isJsonArray, isJsonObject } from './member.ts';
import type { Dialect } from './schema.ts';

/** Takes one subschema: it stands at `keyword`, or at `key` of what stands there. */
export type VisitSubschema = (
  json: JsonObject | boolean,
  keyword: string,
  key: string | number | undefined,
) => void;

/**
 * Visits the subschemas directly below `json`, in document order. Beside `$ref`, draft-07 knows no other keyword, but
 * definitions still stand there to be referred to.
 */
export function eachSubschema(json: JsonObject, dialect: Dialect, visit: VisitSubschema): void {
  const shapes = keywordShapes[dialect];
  const add = (value: JsonValue, keyword: string, key: string | number | undefined): void => {
    if (typeof value === 'boolean' || isJsonObject(value)) visit(value, keyword, key);
  };
  for (const keyword of liveKeywords(json, dialect)) {
    const shape = shapes.get(keyword);
    const value = json[keyword];
    if (shape === undefined || value === undefined || !shape.includes('schema')) continue;
    if (shape === 'schema' || (shape === 'schema-or-list' && !isJsonArray(value))) {
      add(value, keyword, undefined);
    } else if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) add(item, keyword, index);
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value)) add(value[name] ?? null, keyword, name);
    }
  }
}

/** One subschema directly below another. */
export interface Subschema {
  /** From the schema above to this one (RFC 6901). */
  readonly path: string;
  readonly json: JsonObject | boolean;
}

/** What {@link eachSubschema} visits, as a list. */
export function subschemas(json: JsonObject, dialect: Dialect): readonly Subschema[] {
  const found: Subschema[] = [];
  eachSubschema(json, dialect, (below, keyword, key) => {
    found.push({ path: joinPointer(key === undefined ? [keyword] : [keyword, key]), json: below });
  });
  return found;
}

/** The keywords of `json` that mean something: all of them, but draft-07 looks past what stands beside `$ref`. */
export function liveKeywords(json: JsonObject, dialect: Dialect): readonly string[] {
  const keywords = Object.keys(json);
  if (dialect !== 'draft-07' || !Object.hasOwn(json, '$ref')) return keywords;
  return keywords.filter((keyword) => keyword === '$ref' || keyword === 'definitions');
}
