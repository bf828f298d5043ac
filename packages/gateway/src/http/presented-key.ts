import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;
const KEY = /^[\x21-\x7e]{1,512}$/;
/** Headers that hold nothing but a key. */
const BARE = ['x-api-key', 'x-goog-api-key', 'api-key'] as const;

/**
 * The virtual key that a request presents, in the header that its client library uses. Keys in the query are not read:
 * addresses end up in logs. Different keys in several headers are none.
 */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = headers.authorization;
  let found = bearer === undefined ? undefined : (BEARER.exec(bearer)?.[1] ?? '');
  for (const name of BARE) {
    const value = headers[name];
    if (value === undefined) continue;
    const key = typeof value === 'string' && KEY.test(value) ? value : '';
    if (found !== undefined && found !== key) return undefined;
    found = key;
  }
  return found === '' ? undefined : found;
}
