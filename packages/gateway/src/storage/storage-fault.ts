import { GatewayError } from '../ports/gateway-error.ts';

/** What one of our own errors is called. */
const OWN_CODE = /^[a-z]+\/[a-z-]+$/;

/** What lies behind a fault that an operator can do something about, by its code or what that begins with. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'this user may not use the file, or may not write into its folder'],
  ['EEXIST', 'a folder on the way to the file is a file'],
  ['EISDIR', 'the file is a folder'],
  ['ENOTDIR', 'a folder on the way to the file is a file'],
  ['EROFS', 'nothing can be written there'],
  ['ENOSPC', 'the disk is full'],
  ['ECONNREFUSED', 'nobody answers at its address'],
  ['ECONNRESET', 'the connection broke'],
  ['EPIPE', 'the connection broke'],
  ['ENOENT', 'nothing is there'],
  ['EAI_AGAIN', 'the name of its host cannot be looked up now'],
  ['ENOTFOUND', 'its host is not known'],
  ['ETIMEDOUT', 'it does not answer in time'],
  ['SQLITE_BUSY', 'another program holds the file'],
  ['SQLITE_CANTOPEN', 'the file cannot be opened'],
  ['SQLITE_CORRUPT', 'the file is damaged'],
  ['SQLITE_FILE_REPLACED', 'the file was moved or replaced'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_IOERR', 'the disk fails, or is full'],
  ['SQLITE_NOTADB', 'the file is no database'],
  ['SQLITE_READONLY', 'the file cannot be written'],
  ['28000', 'the server does not let this user in'],
  ['28P01', 'the server does not take the password'],
  ['3D000', 'the server has no such database'],
  ['53300', 'the server has no connection left'],
  ['57014', 'a statement took too long, or waited too long for others'],
  ['57P01', 'the server is being stopped'],
  ['57P02', 'the server has crashed'],
  ['57P03', 'the server is starting or being stopped'],
]);

/**
 * An error of our own as it is; anything else as a fault of the database, whose text may quote values and ends up in
 * `cause`.
 */
export function storageFault(cause: unknown): unknown {
  const code = codeOf(cause);
  if (OWN_CODE.test(code)) return cause;
  const shown = /^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : '';
  const words = WORDS.get(code) ?? WORDS.get(code.split('_', 2).join('_'));
  const why = words === undefined ? '' : `: ${words}`;
  return new GatewayError('gateway/storage-unavailable', `Storage failed${why}${shown}.`, { cause });
}

/** Whether a database refused a row because one with the same key is there. */
export function isDuplicate(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE'].includes(codeOf(error));
}

/** What a database says of a row that it does not take: data, constraints, and bounds. */
const ABOUT_ROWS = /^(?:22|23|54)|^SQLITE_(?:CONSTRAINT|MISMATCH|RANGE|TOOBIG)/;

/** Whether a fault says nothing against what was to be written, so that the same may be written later. */
export function isOutage(error: unknown): boolean {
  if (!GatewayError.is(error) || error.code !== 'gateway/storage-unavailable') return false;
  return (
    !(error.cause instanceof TypeError || error.cause instanceof RangeError) &&
    !ABOUT_ROWS.test(codeOf(error.cause))
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
