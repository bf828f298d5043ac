import { ignoreThrown } from '../internal/ignore-thrown.ts';

/**
 * Every code of a {@link ContractError}.
 *
 * `not-a-tool`: the value has no `definition` and `call` functions. `definition-…`, `name-…`, `schema-invalid`: the
 * definition cannot be taken; a `SchemaError` or `JsonError` is the cause where there is one, and its `pointer` is
 * kept. `name-duplicate`, `name-confusable`: another tool of the same registry has this name, or one that reads the
 * same. `wrapping-invalid`: the decorator chain has a cycle, is too long, or breaks. `validator-invalid`: the input
 * validator cannot be used. `options-invalid`: an option is unknown, missing or out of range.
 * `invocation-foreign`: another contract admitted the invocation. `input-unstable`: a validator refused arguments
 * that it had accepted. `output-invalid`: a result cannot be encoded, or breaks the output schema.
 */
export const contractErrorCodes = [
  'tool/not-a-tool',
  'tool/definition-invalid',
  'tool/name-invalid',
  'tool/name-duplicate',
  'tool/name-confusable',
  'tool/schema-invalid',
  'tool/wrapping-invalid',
  'tool/validator-invalid',
  'tool/options-invalid',
  'tool/invocation-foreign',
  'tool/input-unstable',
  'tool/output-invalid',
] as const;

/** A code of {@link ContractError}. */
export type ContractErrorCode = (typeof contractErrorCodes)[number];

/** What a {@link ContractError} carries besides its code and message. */
export interface ContractErrorOptions {
  /** Where in the schema or the result (RFC 6901), when the fault has a place. */
  readonly pointer?: string | undefined;
  /** What went wrong underneath; for diagnosis, never serialised. */
  readonly cause?: unknown;
}

/**
 * Misuse of the tool protocol: a tool, definition, option or result that cannot be used. What a model does wrong is
 * never thrown; see `CallRefusal`. `message` names the fix and holds no arguments and no results.
 */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ContractErrorCode;
  /** Where in the schema or the result (RFC 6901), when the fault has a place. */
  readonly pointer: string | undefined;

  constructor(code: ContractErrorCode, message: string, options: ContractErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    ignoreThrown(options.cause);
    this.code = code;
    this.pointer = options.pointer;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is ContractError {
    try {
      if (!(value instanceof Error) || value.name !== 'ContractError' || !('code' in value)) return false;
      return contractErrorCodes.some((code) => code === value.code);
    } catch {
      return false;
    }
  }
}
