import { GatewayError } from '../ports/gateway-error.ts';

/** What one of our own errors is called. */
const OWN_CODE = /^[a-z]+\/[a-z-]+$/;

/**
 * An error of our own as it is; anything else as a fault of the database, whose text may quote values and ends up in
 * `cause`.
 */
export function storageFault(cause: unknown): unknown {
  const code = codeOf(cause);
  if (OWN_CODE.test(code)) return cause;
  const shown = /^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : '';
  return new GatewayError('gateway/storage-unavailable', `Storage failed${shown}.`, { cause });
}

/** Whether a database refused a row because one with the same key is there. */
export function isDuplicate(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
