import {
  freezeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJson,
  toJsonValue,
} from '@toolgate/core';
import { MAX_JSON_DEPTH, MAX_PARAMETERS_BYTES } from '../bounds.ts';
import { ControlError } from '../control-error.ts';
import { exceedsBytes } from '../text/exceeds-bytes.ts';

const LIMITS = { maxBytes: MAX_PARAMETERS_BYTES, maxDepth: MAX_JSON_DEPTH } as const;

/** The type words of JSON Schema. */
const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

/**
 * The parameters of a control tool, read once and frozen.
 *
 * @throws ControlError `control/spec-invalid` for what is not exactly one JSON Schema of an object, or has a `$ref`.
 */
export function readParameters(source: unknown): JsonObject {
  const schema = read(source);
  if (!isJsonObject(schema)) throw invalid('must be one JSON object');
  if (holdsReference(schema)) throw invalid('must not hold $ref');
  const { type, properties } = { type: own(schema, 'type'), properties: own(schema, 'properties') };
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  if (type !== undefined && (types.length === 0 || !types.every((word) => TYPES.has(word)))) {
    throw invalid('must have a type that JSON Schema knows');
  }
  if (properties !== undefined && !isJsonObject(properties))
    throw invalid('must have properties that are an object');
  const described = type === undefined ? Object.keys(properties ?? {}).length > 0 : types.includes('object');
  if (!described) throw invalid('must describe an object');
  return freezeJson(schema);
}

function read(source: unknown): JsonValue {
  try {
    if (typeof source === 'string' || source instanceof Uint8Array) return readJson(source, LIMITS);
    const value = toJsonValue(source, LIMITS);
    // What is measured is the text that goes to the provider.
    if (exceedsBytes(JSON.stringify(value), MAX_PARAMETERS_BYTES)) throw invalid('are too large');
    return value;
  } catch (cause) {
    if (ControlError.is(cause)) throw cause;
    throw new ControlError('control/spec-invalid', 'The parameters are not one valid JSON value.', { cause });
  }
}

function holdsReference(root: JsonValue): boolean {
  const waiting: JsonValue[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '$ref')) return true;
    waiting.push(...Object.values(value));
  }
  return false;
}

function own(schema: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}

function invalid(problem: string): ControlError {
  return new ControlError('control/spec-invalid', `The parameters ${problem}.`);
}
