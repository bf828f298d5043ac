import { ignorePromises } from '../internal/ignore-promises.ts';
import { freezeJson } from '../json/freeze-json.ts';
import { JsonError } from '../json/json-error.ts';
import type { JsonValue } from '../json/json-value.ts';
import { type MendedJson, writeJson, writeMendedJson } from '../json/write-json.ts';
import type { LabelMemory } from '../json/write-text.ts';
import { ContractError } from './contract-error.ts';

/**
 * The JSON text of a result, encoded strictly.
 *
 * @param pointer - Where the value is in the result, for errors.
 * @throws {@link ContractError} `tool/output-invalid` with pointer, cause `JsonError`.
 */
export function encodeOutput(value: unknown, pointer = ''): string {
  try {
    return writeJson(value);
  } catch (cause) {
    throw noJsonForm(value, cause, pointer);
  }
}

/**
 * The same for what a handler returned: half of a character in one of its texts is replaced and counted, because the
 * effects of the call are there, whatever its text looks like.
 *
 * @param memory - That of the tool, where one tool gives the results.
 * @throws {@link ContractError} `tool/output-invalid` with pointer, cause `JsonError`.
 * @internal
 */
export function encodeResult(value: unknown, pointer = '', memory?: LabelMemory): MendedJson {
  // The common scalars need no walk.
  if (typeof value === 'boolean' || value === null) return { text: String(value), mended: 0 };
  try {
    return writeMendedJson(value, memory);
  } catch (cause) {
    throw noJsonForm(value, cause, pointer);
  }
}

function noJsonForm(value: unknown, cause: unknown, pointer: string): ContractError {
  ignorePromises(value);
  const fault = JsonError.is(cause) ? cause : undefined;
  return new ContractError('tool/output-invalid', `The result has no JSON form: ${fault?.message}.`, {
    cause,
    pointer: `${pointer}${fault?.pointer ?? ''}`,
  });
}

/** The frozen value of a text that `encodeOutput` or `encodeResult` made; it is our own text, not a stranger's. */
export function decodeOutput(text: string): JsonValue {
  return freezeJson(JSON.parse(text) as JsonValue);
}
