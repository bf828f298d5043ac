import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** What clients need of an answer, and browsers keep from a page that nobody says it to. */
const EXPOSED =
  'x-request-id, toolgate-loss, retry-after, www-authenticate, mcp-session-id, mcp-protocol-version';
/** How long a browser need not ask again, in seconds. */
const MAX_AGE = '600';
/** Names of headers, as a browser lists them. */
const NAMES = /^[\w!#$%&'*+.^`|~-]{1,100}(?:\s?,\s?[\w!#$%&'*+.^`|~-]{1,100}){0,60}$/;

/** Lets a page of an allowed origin read the answer, whoever writes it. Cookies are nobody's key here, and are not asked for. */
export function letPageRead(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('vary', 'origin');
}

/** Whether a browser asks first what a page may send (Fetch, CORS preflight). It sends no key with that. */
export function isPreflight(method: string, headers: IncomingHttpHeaders): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** What a page may send to an address with these methods. */
export function preflightHeaders(
  methods: readonly string[],
  headers: IncomingHttpHeaders,
): Readonly<Record<string, string>> {
  const asked = headers['access-control-request-headers'] ?? '';
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-max-age': MAX_AGE,
    ...(NAMES.test(asked) ? { 'access-control-allow-headers': asked } : {}),
  };
}
