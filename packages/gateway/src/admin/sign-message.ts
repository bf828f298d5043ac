import { createHmac } from 'node:crypto';
import type { Secret } from '../config/secret.ts';

/** A message to sign. */
export interface SignedParts {
  /** Unique for the message, the same for every attempt to deliver it. */
  readonly id: string;
  /** Seconds since the epoch, of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

const PREFIX = 'whsec_';

/**
 * Headers by which a receiver knows that a message is ours, unchanged and recent.
 *
 * @param secret - With the prefix `whsec_` base64 follows; anything else is taken as it is.
 * @see https://www.standardwebhooks.com: HMAC-SHA256 over `id.timestamp.body`.
 */
export function signMessage(
  { id, timestamp, body }: SignedParts,
  secret: Secret,
): Readonly<Record<string, string>> {
  const text = secret.reveal();
  const key = text.startsWith(PREFIX)
    ? Buffer.from(text.slice(PREFIX.length), 'base64')
    : Buffer.from(text, 'utf8');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
