import { isJsonObject, JsonError, type JsonValue, readJson } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { listDefinitions } from '../definitions/list-definitions.ts';
import { member, type RawDefinition } from '../definitions/raw-definition.ts';

/** One recorded call. */
export interface RecordedCall {
  readonly name: string;
  /** The text that the model wrote. */
  readonly arguments: string;
  /** Whether the call is held to be right; absent where nobody said. */
  readonly valid: boolean | undefined;
}

/** Tools and the calls that were made of them. */
export interface RecordedCase {
  readonly id: string;
  readonly tools: readonly RawDefinition[];
  readonly calls: readonly RecordedCall[];
}

const MAX_DEPTH = 256;

/**
 * Reads one line as a case: `{ id?, tools, calls: [{ name, arguments, valid? }] }`. Other members are let be.
 *
 * @param lineNumber - The id where a case has none.
 * @throws JsonError for what is not strict JSON; CliError `cli/case-invalid`, `cli/definitions-unknown`.
 */
export function readCase(line: Uint8Array, lineNumber: number): RecordedCase {
  const value = readJson(line, { maxBytes: 'none', maxDepth: MAX_DEPTH, inexactIntegers: 'allow' });
  if (!isJsonObject(value)) throw invalid('a case is an object');
  const id = member(value, 'id');
  const tools = member(value, 'tools');
  const calls = member(value, 'calls');
  if (tools === undefined) throw invalid('"tools" is missing');
  if (!Array.isArray(calls)) throw invalid('"calls" is an array of { name, arguments, valid }');
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : `line ${lineNumber}`,
    tools: listDefinitions(tools),
    calls: (calls as readonly JsonValue[]).map(readCall),
  };
}

function readCall(value: JsonValue, index: number): RecordedCall {
  const place = `calls[${index}]`;
  if (!isJsonObject(value)) throw invalid(`${place} is no object`);
  const name = member(value, 'name');
  const text = member(value, 'arguments');
  const valid = member(value, 'valid');
  if (typeof name !== 'string') throw invalid(`${place}.name is a string`);
  if (typeof text !== 'string')
    throw invalid(`${place}.arguments is the text that the model wrote, a string`);
  if (valid !== undefined && typeof valid !== 'boolean') throw invalid(`${place}.valid is true or false`);
  return { name, arguments: text, valid };
}

/** Whether an error says something about the case and not about us. */
export function isCaseFault(error: unknown): error is JsonError | CliError {
  return JsonError.is(error) || CliError.is(error);
}

function invalid(what: string): CliError {
  return new CliError('cli/case-invalid', `This is no case: ${what}.`);
}
