import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/i;
const KEY = /^[\x21-\x7e]{1,512}$/;

/**
 * The virtual key that a request presents, in the header that its client library uses. Keys in the query are not read:
 * addresses end up in logs. Different keys in several headers are none.
 */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const found = new Set<string>();
  const bearer = headers.authorization;
  if (bearer !== undefined) found.add(BEARER.exec(bearer)?.[1] ?? '');
  for (const name of ['x-api-key', 'x-goog-api-key', 'api-key'] as const) {
    const value = headers[name];
    if (value !== undefined) found.add(typeof value === 'string' && KEY.test(value) ? value : '');
  }
  const [only, another] = found;
  return only === undefined || only === '' || another !== undefined ? undefined : only;
}
