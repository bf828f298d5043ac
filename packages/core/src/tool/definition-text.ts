import { utf8Bytes } from '../internal/utf8-bytes.ts';
import { ContractError } from './contract-error.ts';

/**
 * A text of a definition, unchanged: a well-formed string within its bound.
 *
 * @throws {@link ContractError} `tool/definition-invalid`
 */
export function checkDefinitionText(field: string, value: unknown, maxBytes: number): string {
  if (typeof value !== 'string') throw invalid(`The ${field} of a tool has to be a string.`);
  // Two comparisons, so that an enormous text is never measured byte by byte.
  if (value.length > maxBytes || utf8Bytes(value) > maxBytes) {
    throw invalid(`The ${field} of a tool may have ${maxBytes} bytes.`);
  }
  if (!value.isWellFormed()) throw invalid(`The ${field} of a tool holds half of a surrogate pair.`);
  return value;
}

function invalid(message: string): ContractError {
  return new ContractError('tool/definition-invalid', message);
}
