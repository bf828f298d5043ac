import { ignoreThrown } from '../internal/ignore-thrown.ts';

/**
 * Every code of a {@link SchemaError}, in the order in which a schema is taken in.
 *
 * `not-a-schema`: the input is not a plain JSON object or boolean, or holds something JSON cannot carry.
 * `options-invalid`: a compile option is outside its range. `too-large`, `too-deep`: a named limit was passed.
 * `dialect-unknown`: `$schema` names no dialect that is implemented or mapped. `leftover`: `strict` met a
 * keyword form of another draft. `keyword-invalid`: a keyword holds a value that its specification rules out.
 * `reference-…`: a `$ref` leaves the schema, leads nowhere, or loops without consuming a value.
 * `pattern-…`: a regular expression is malformed, or nobody could show that it runs in linear time.
 * `default-invalid`: a `default` does not match its own schema. `input-…`: a library cannot say its schema, or
 * checks asynchronously. `budget`: compiling took more steps than allowed.
 */
export const schemaErrorCodes = [
  'schema/not-a-schema',
  'schema/options-invalid',
  'schema/too-large',
  'schema/too-deep',
  'schema/dialect-unknown',
  'schema/leftover',
  'schema/keyword-invalid',
  'schema/reference-remote',
  'schema/reference-unresolved',
  'schema/reference-loop',
  'schema/pattern-invalid',
  'schema/pattern-unsafe',
  'schema/default-invalid',
  'schema/input-unsupported',
  'schema/input-asynchronous',
  'schema/budget',
] as const;

/** A code of {@link SchemaError}. */
export type SchemaErrorCode = (typeof schemaErrorCodes)[number];

/** What a {@link SchemaError} carries besides its code and message. */
export interface SchemaErrorOptions {
  /** Where in the schema as written (RFC 6901). Default: the root. */
  readonly pointer?: string;
  /** What went wrong underneath; for diagnosis, never serialised. */
  readonly cause?: unknown;
}

/** A schema that cannot be used, and why. `message` is safe to log: it never quotes more than a keyword's name. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly code: SchemaErrorCode;
  /** Where in the schema as written (RFC 6901); the empty string is the root. */
  readonly pointer: string;

  constructor(code: SchemaErrorCode, message: string, options: SchemaErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    ignoreThrown(options.cause);
    this.code = code;
    this.pointer = options.pointer ?? '';
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. */
  static is(value: unknown): value is SchemaError {
    return value instanceof Error && value.name === 'SchemaError' && 'code' in value;
  }
}
