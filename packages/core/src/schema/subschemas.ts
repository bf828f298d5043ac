import { isJsonObject } from '../json/is-json-object.ts';
import { joinPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { keywordShapes } from './keywords.ts';
import { isJsonArray } from './member.ts';
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
  for (const keyword of liveKeywords(json, dialect)) {
    if (!holders[dialect].has(keyword)) continue;
    const value = json[keyword];
    if (isJsonArray(value)) {
      for (let index = 0; index < value.length; index += 1) visitOne(value[index], keyword, index, visit);
    } else if (isJsonObject(value) && mapKeywords.has(keyword)) {
      for (const name of Object.keys(value)) visitOne(value[name], keyword, name, visit);
    } else {
      visitOne(value, keyword, undefined, visit);
    }
  }
}

function visitOne(
  value: JsonValue | undefined,
  keyword: string,
  key: string | number | undefined,
  visit: VisitSubschema,
): void {
  if (typeof value === 'boolean' || isJsonObject(value)) visit(value, keyword, key);
}

/** Keywords whose value is a subschema, a list of them, or an object of them. */
const holders: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  '2020-12': keywordsWith('2020-12', 'schema'),
  'draft-07': keywordsWith('draft-07', 'schema'),
};
/** Keywords whose value is an object of subschemas, not a subschema itself. */
const mapKeywords: ReadonlySet<string> = new Set([
  ...keywordsWith('2020-12', 'map'),
  ...keywordsWith('draft-07', 'map'),
]);

function keywordsWith(dialect: Dialect, part: string): ReadonlySet<string> {
  const found = [...keywordShapes[dialect]].filter(
    ([, shape]) => shape.includes('schema') && shape.includes(part),
  );
  return new Set(found.map(([keyword]) => keyword));
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
