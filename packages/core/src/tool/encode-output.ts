import { freezeJson } from '../json/freeze-json.ts';
import { JsonError } from '../json/json-error.ts';
import type { JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import { ContractError } from './contract-error.ts';

/**
 * The JSON text of a result, encoded strictly.
 *
 * @param pointer - Where the value is in the result, for errors.
 * @throws {@link ContractError} `tool/output-invalid` with pointer, cause `JsonError`.
 */
export function encodeOutput(value: unknown, pointer = ''): string {
  // The common scalars need no walk.
  if (typeof value === 'boolean' || value === null) return String(value);
  try {
    return writeJson(value);
  } catch (cause) {
    const fault = JsonError.is(cause) ? cause : undefined;
    throw new ContractError('tool/output-invalid', `The result has no JSON form: ${fault?.message}.`, {
      cause,
      pointer: `${pointer}${fault?.pointer ?? ''}`,
    });
  }
}

/** The frozen value of a text that `encodeOutput` made; it is our own text, not a stranger's. */
export function decodeOutput(text: string): JsonValue {
  return freezeJson(JSON.parse(text) as JsonValue);
}
