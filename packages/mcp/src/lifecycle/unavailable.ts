import {
  InsufficientScopeError,
  OAuthError,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { createRedactor, type Redactor } from '@toolgate/core';
import type { ConnectFailure } from '../client/connect-client.ts';
import type { ServerTransport } from '../client/server-transport.ts';
import { McpError } from '../mcp-error.ts';
import { codeOf, whyUnusable } from './connect-fault.ts';

/** Characters of foreign text that one diagnosis may have. */
const MAX_DETAIL = 4_000;

/**
 * Says of a connection that could not be made why, as far as that is safe to log. What the server wrote to its error
 * output is in the cause.
 */
export function toUnavailable(
  server: string,
  { error, opened, givenUp }: ConnectFailure,
  redact: Redactor,
): McpError {
  const { end, fault, stderr } = opened.epitaph();
  const known = givenUp ?? fault;
  if (known !== undefined) return known;
  if (McpError.is(error)) return error;
  if (isUnauthorized(error)) {
    return new McpError('mcp/unauthorized', `The server ${server} wants a login.`, { cause: error });
  }
  const how = howOf(error, end);
  const said = diagnosisText(stderr, redact);
  const cause =
    said === '' ? error : new Error(`The server wrote to its error output:\n${said}`, { cause: error });
  return new McpError('mcp/unavailable', `The server ${server} could not be started or reached${how}.`, {
    cause,
  });
}

/** What ended it says most, unless that was done because of the error. */
function howOf(error: unknown, end: string | undefined): string {
  const why = whyUnusable(error);
  if (end === undefined || (end === 'was closed' && why !== undefined))
    return why === undefined ? '' : `: ${why}`;
  const code = codeOf(error);
  return code === undefined ? `: it ${end}` : `: it ${end} (${code})`;
}

/** Whether a server refused for want of a login or a permission; then it did nothing. */
export function isUnauthorized(error: unknown): boolean {
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError) return true;
  if (error instanceof OAuthError) return true;
  return error instanceof SdkHttpError && (error.status === 401 || error.status === 403);
}

/** Replaces what a server was given in secret, and the usual shapes of credentials. */
export function secretsOf(server: ServerTransport, others: readonly string[]): Redactor {
  const values =
    server.kind === 'stdio'
      ? Object.values(server.env ?? {})
      : server.kind === 'http'
        ? [...Object.values(server.headers ?? {}), ...queryValues(server.url)]
        : [];
  // A header has the name of a scheme before what is secret; shorter values are words that would be found everywhere.
  const long = values
    .flatMap((value) => [value, value.slice(value.lastIndexOf(' ') + 1)])
    .filter((value) => value.length >= 8);
  return createRedactor({ secrets: [...long, ...others.filter((value) => value.length >= 4)] });
}

function queryValues(url: string | URL): readonly string[] {
  return [...(URL.parse(String(url))?.searchParams.values() ?? [])];
}

/** Foreign text for a diagnosis: its end, in one piece, without secrets, controls escaped. */
export function diagnosisText(text: string, redact: Redactor): string {
  const tail = text.length > MAX_DETAIL ? text.slice(-MAX_DETAIL).toWellFormed() : text.toWellFormed();
  return redact(tail).text.replace(/[^\P{C}\n]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `\\u{${point.toString(16)}}`;
  });
}
