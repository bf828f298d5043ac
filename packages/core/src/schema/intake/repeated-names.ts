import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';
import type { Leftover } from './leftover.ts';

/**
 * Lists of names in which one stands twice. It means nothing more, but the meta-schema rules it out, and a provider that goes by
 * that refuses all tools of a request.
 */
export const repeatedNames: readonly Leftover[] = [
  ...['required', 'type'].map((keyword) =>
    oncePerName(
      keyword,
      (value) => hasRepeated(value),
      (value) => withoutRepeated(value),
    ),
  ),
  ...['dependentRequired', 'dependencies'].map((keyword) =>
    oncePerName(
      keyword,
      (value) => isJsonObject(value) && Object.values(value).some(hasRepeated),
      (value) =>
        isJsonObject(value)
          ? Object.fromEntries(Object.entries(value).map(([name, list]) => [name, withoutRepeated(list)]))
          : value,
    ),
  ),
];

function oncePerName(
  keyword: string,
  isRepeated: (value: JsonValue) => boolean,
  mend: (value: JsonValue) => JsonValue,
): Leftover {
  return {
    keyword,
    native: [],
    detail: 'has a name twice, which stands there once now',
    isIn: (json) => {
      const value = member(json, keyword);
      return value !== undefined && isRepeated(value);
    },
    replace: (schema) => {
      const value = member(schema, keyword);
      if (value !== undefined) schema[keyword] = mend(value);
    },
  };
}

/** Other lists than those of names are refused where they are read. */
function isNames(value: JsonValue): value is readonly string[] {
  return isJsonArray(value) && value.every((name) => typeof name === 'string');
}

function hasRepeated(value: JsonValue): boolean {
  return isNames(value) && value.length > 1 && new Set(value).size < value.length;
}

function withoutRepeated(value: JsonValue): JsonValue {
  return isNames(value) ? [...new Set(value)] : value;
}
