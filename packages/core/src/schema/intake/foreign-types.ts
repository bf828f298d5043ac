import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';
import type { Leftover } from './leftover.ts';

/** What other languages call the types of JSON Schema, in lower case. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'].map(
    (type) => [type, type] as const,
  ),
  ['str', 'string'],
  ['int', 'integer'],
  ['int32', 'integer'],
  ['int64', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
  ['none', 'null'],
  ['nonetype', 'null'],
  ['any', 'any'],
]);

/**
 * Types by the names of Python, or in capitals as in a declaration of Gemini. They are none of the seven, so that nothing else can
 * be meant, and a provider refuses a whole request for one of them.
 */
export const foreignTypes: Leftover = {
  keyword: 'type',
  native: [],
  foreign: true,
  detail: 'has the name of a type of another language, which became that of JSON Schema',
  isIn: (json) => {
    const type = member(json, 'type');
    return type !== undefined && meantBy(type) !== undefined;
  },
  replace: (schema) => {
    const type = member(schema, 'type');
    const meant = type === undefined ? undefined : meantBy(type);
    if (meant !== undefined) schema['type'] = meant;
  },
};

/** The type that is meant; `undefined` where it is written right, or where a name of it means nothing. */
function meantBy(type: JsonValue): JsonValue | undefined {
  if (!isJsonArray(type)) {
    const meant = nameMeantBy(type);
    return meant === type ? undefined : meant;
  }
  const names = type.map(nameMeantBy);
  if (names.every((name, index) => name === type[index])) return undefined;
  return names.every((name) => name !== undefined) ? [...new Set(names)] : undefined;
}

function nameMeantBy(name: JsonValue): string | undefined {
  return typeof name === 'string' ? MEANT.get(name.toLowerCase()) : undefined;
}
