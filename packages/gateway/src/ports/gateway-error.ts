import { ignoreThrown } from '@toolgate/core';

/** Every code of a {@link GatewayError}. */
export const gatewayErrorCodes = [
  'gateway/config-invalid',
  'gateway/config-unreadable',
  'gateway/secret-missing',
  'gateway/storage-unavailable',
  'gateway/storage-invalid',
  'gateway/record-unreadable',
  'gateway/entry-invalid',
  'gateway/approval-exists',
  'gateway/closed',
] as const;

/** A code of {@link GatewayError}. */
export type GatewayErrorCode = (typeof gatewayErrorCodes)[number];

/** Where in a configuration a fault is; all counts begin at 1. */
export interface ConfigPlace {
  /** Path of the value (RFC 6901). */
  readonly pointer: string;
  readonly line?: number;
  readonly column?: number;
}

/** What an error of the gateway may carry besides its text. */
export interface GatewayErrorOptions extends ErrorOptions {
  readonly place?: ConfigPlace;
}

/**
 * Thrown for a configuration that cannot be used, storage that cannot be reached or trusted, and misuse. What a client
 * of the gateway sees is never one of these but its protocol's own error. `message` holds no secret and is safe to log;
 * `cause` is for diagnosis only.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly place: ConfigPlace | undefined;

  constructor(code: GatewayErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options);
    ignoreThrown(options?.cause);
    this.code = code;
    this.place = options.place;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. */
  static is(value: unknown): value is GatewayError {
    return (
      value instanceof Error &&
      value.name === 'GatewayError' &&
      'code' in value &&
      gatewayErrorCodes.some((code) => code === value.code)
    );
  }
}
