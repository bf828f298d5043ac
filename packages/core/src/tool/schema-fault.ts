import { SchemaError } from '../schema/schema-error.ts';
import { ContractError } from './contract-error.ts';

/** The error for a schema that could not be taken; the pointer and the words of a `SchemaError` are kept. */
export function schemaFault(field: string, cause: unknown): ContractError {
  const message = `The ${field} of a tool cannot be used`;
  if (!SchemaError.is(cause)) return new ContractError('tool/schema-invalid', `${message}.`, { cause });
  const { pointer } = cause;
  return new ContractError('tool/schema-invalid', `${message}: ${cause.message}`, { cause, pointer });
}
