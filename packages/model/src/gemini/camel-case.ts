import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, setMember, type WireReader } from '../codec/wire-reader.ts';

/** Members whose value belongs to somebody else: argument values, results and schemas are never renamed. */
const OPAQUE: ReadonlySet<string> = new Set([
  'args',
  'labels',
  'parameters',
  'parametersJsonSchema',
  'partMetadata',
  'response',
  'responseJsonSchema',
  'responseSchema',
]);

const SNAKE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;

/**
 * The body with all member names in camel case. The API takes both spellings of every member, and many examples and
 * clients use the other one. A member in both spellings is refused: somebody else would read the other one.
 *
 * @see Protocol Buffers, ProtoJSON format: parsers accept the original field name.
 */
export function toCamelCase(body: JsonObject, reader: WireReader): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(body)) {
    const camel = SNAKE.test(name)
      ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
      : name;
    if (camel !== name && Object.hasOwn(body, camel))
      reader.fail('', 'holds a member in both of its spellings');
    setMember(result, camel, OPAQUE.has(camel) ? value : rename(value, reader));
  }
  return result;
}

function rename(value: JsonValue, reader: WireReader): JsonValue {
  if (isJsonArray(value)) return value.map((each) => rename(each, reader));
  return isJsonObject(value) ? toCamelCase(value, reader) : value;
}
