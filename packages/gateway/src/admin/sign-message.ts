import { createHmac } from 'node:crypto';
import type { Secret } from '../config/secret.ts';
import { webhookKey } from '../config/webhook-key.ts';

/** A message to sign. */
export interface SignedParts {
  /** Unique for the message, the same for every attempt to deliver it. */
  readonly id: string;
  /** Seconds since the epoch, of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Headers by which a receiver knows that a message is ours, unchanged and recent.
 *
 * @see https://www.standardwebhooks.com: HMAC-SHA256 over `id.timestamp.body`.
 */
export function signMessage(
  { id, timestamp, body }: SignedParts,
  secret: Secret,
): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', webhookKey(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
