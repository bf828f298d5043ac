import { ignoreThrown } from '@toolgate/core';

/** Every code of a {@link ModelError}. */
export const modelErrorCodes = [
  'model/request-invalid',
  'model/response-invalid',
  'model/stream-invalid',
  'model/stream-incomplete',
  'model/not-encodable',
  'model/edit-impossible',
  'model/history-invalid',
  'model/options-invalid',
  'model/http-status',
  'model/connection-failed',
  'model/timeout',
  'model/cancelled',
  'model/response-too-large',
  'model/provider-error',
] as const;

/** A code of {@link ModelError}. */
export type ModelErrorCode = (typeof modelErrorCodes)[number];

/** Details of a {@link ModelError}, all safe to log. */
export interface ModelErrorOptions {
  /** Where in the body (RFC 6901). */
  readonly pointer?: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** The provider's request id. */
  readonly requestId?: string;
  /** The provider's own short word for the failure (`overloaded_error`), where it gave one. */
  readonly providerCode?: string;
  readonly cause?: unknown;
}

/** The one error class of this package. `message` is safe to log; `cause` is for diagnosis only and not enumerable. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  readonly pointer: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly providerCode: string | undefined;

  constructor(code: ModelErrorCode, message: string, options: ModelErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    ignoreThrown(options.cause);
    this.code = code;
    this.pointer = options.pointer;
    this.status = options.status;
    this.requestId = options.requestId;
    this.providerCode = options.providerCode;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. */
  static is(value: unknown): value is ModelError {
    return (
      value instanceof Error &&
      value.name === 'ModelError' &&
      typeof (value as { code?: unknown }).code === 'string'
    );
  }
}
