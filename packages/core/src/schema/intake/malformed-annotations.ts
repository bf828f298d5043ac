import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';
import type { Leftover } from './leftover.ts';

/**
 * Keywords that only describe, with a value that the meta-schema rules out. They refuse no argument, but a provider that looks at
 * the schemas of a request by the meta-schema refuses all of its tools.
 */
export const malformedAnnotations: readonly Leftover[] = [
  ...['$comment', 'contentEncoding', 'contentMediaType', 'description', 'title'].map((keyword) =>
    leftOut(keyword, 'is no text and was left out', (value) => typeof value === 'string'),
  ),
  ...['deprecated', 'readOnly', 'writeOnly'].map((keyword) =>
    leftOut(keyword, 'is no boolean and was left out', (value) => typeof value === 'boolean'),
  ),
  leftOut(
    'contentSchema',
    'is no schema and was left out',
    (value) => typeof value === 'boolean' || isJsonObject(value),
  ),
  {
    keyword: 'examples',
    native: [],
    detail: 'is no list and became the only item of one',
    isIn: (json) => Object.hasOwn(json, 'examples') && !isJsonArray(json['examples']),
    replace: (schema) => {
      schema['examples'] = [member(schema, 'examples') ?? null];
    },
  },
];

function leftOut(keyword: string, detail: string, isRight: (value: JsonValue) => boolean): Leftover {
  return {
    keyword,
    native: [],
    detail,
    isIn: (json) => {
      const value = member(json, keyword);
      return value !== undefined && !isRight(value);
    },
    replace: (schema) => void delete schema[keyword],
  };
}
