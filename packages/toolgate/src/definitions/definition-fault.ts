import { ContractError, JsonError, PolicyError, SchemaError } from '@toolgate/core';
import { CliError } from '../cli-error.ts';

/** Why a definition cannot be used. */
export interface DefinitionFault {
  /** A code of the core or of the command line. */
  readonly code: string;
  /** One sentence, safe for a terminal once its controls are escaped. */
  readonly message: string;
  /** Where in the schema (RFC 6901), when the fault has a place. */
  readonly pointer?: string;
}

/** An error of the core as data. Everything else is a defect of ours and thrown on. */
export function toDefinitionFault(error: unknown): DefinitionFault {
  if (ContractError.is(error)) {
    // The schema says more precisely what is wrong than the tool does.
    const code = SchemaError.is(error.cause) ? error.cause.code : error.code;
    return fault(code, error.message, error.pointer);
  }
  if (SchemaError.is(error) || JsonError.is(error)) return fault(error.code, error.message, error.pointer);
  if (PolicyError.is(error) || CliError.is(error)) return fault(error.code, error.message, undefined);
  throw error;
}

function fault(code: string, message: string, pointer: string | undefined): DefinitionFault {
  return pointer === undefined ? { code, message } : { code, message, pointer };
}
