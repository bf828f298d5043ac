import type { Secret } from './secret.ts';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes that messages of a webhook are signed with: with the prefix `whsec_` base64 follows, and nothing comes of
 * what is none; anything else is taken as it is. Never keep the result.
 *
 * @see https://www.standardwebhooks.com
 */
export function webhookKey(secret: Secret): Buffer {
  const text = secret.reveal();
  if (!text.startsWith(PREFIX)) return Buffer.from(text, 'utf8');
  const encoded = text.slice(PREFIX.length);
  // The decoder skips what it does not know, down to a key of no bytes that anybody could sign with.
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
}
