import type { JsonObject } from '../json/json-value.ts';
import type { Input, InputSource, ReadInputOptions } from '../schema/input/input.ts';
import { readInput } from '../schema/input/read-input.ts';
import { schemaFault } from './schema-fault.ts';

/**
 * Reads the input or output declaration of a tool.
 *
 * @throws {@link ContractError} `tool/schema-invalid` with pointer, cause `SchemaError`.
 */
export function readSource(field: 'input' | 'output', source: InputSource, options: ReadInputOptions): Input {
  try {
    return readInput(source, options);
  } catch (cause) {
    throw schemaFault(field, cause);
  }
}

const COMPOSED = ['allOf', 'anyOf', 'oneOf', '$ref'];

/**
 * The input schema of a declaration. Unions and intersections of libraries say nothing about the root's type;
 * arguments are always an object, so saying it changes no verdict. A plain JSON Schema is taken as it is written.
 */
export function inputSchemaOf({ json, library }: Input): JsonObject {
  if (library === undefined || Object.hasOwn(json, 'type')) return json;
  return COMPOSED.some((keyword) => Object.hasOwn(json, keyword)) ? { type: 'object', ...json } : json;
}
