import { originValidationResponse } from '@modelcontextprotocol/server';

const METHODS = 'POST, GET, DELETE';
/** What clients need of an answer, and browsers keep from a page that nobody says it to. */
const EXPOSED = 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after';
/** How long a browser need not ask again, in seconds. */
const MAX_AGE = '600';
/** Names of headers, as a browser lists them. */
const NAMES = /^[\w!#$%&'*+.^`|~-]{1,100}(?:\s?,\s?[\w!#$%&'*+.^`|~-]{1,100}){0,40}$/;

/**
 * The origin of a page that may talk to the server from a browser.
 *
 * @param origins - Host names that an application wrote down: no page is let in for being there.
 * @returns `undefined` for a request of anybody else.
 */
export function pageOf(request: Request, origins: readonly string[]): string | undefined {
  const origin = request.headers.get('origin');
  if (origin === null || origin === '' || origins.length === 0) return undefined;
  return originValidationResponse(request, [...origins]) === undefined ? origin : undefined;
}

/** Whether a browser asks first (Fetch, CORS preflight). It sends no login with that. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method');
}

/** Lets a page send what it asks for. */
export function preflight({ headers }: Request): Response {
  const asked = headers.get('access-control-request-headers') ?? '';
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': METHODS,
      'access-control-max-age': MAX_AGE,
      ...(NAMES.test(asked) ? { 'access-control-allow-headers': asked } : {}),
    },
  });
}

/** An answer that a page may read. Cookies are nobody's login here, and are not asked for. */
export function readableBy(origin: string, { body, status, statusText, headers: given }: Response): Response {
  const headers = new Headers(given);
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', EXPOSED);
  headers.append('vary', 'origin');
  return new Response(body, { status, statusText, headers });
}
