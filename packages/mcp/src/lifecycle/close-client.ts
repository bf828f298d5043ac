import type { Clock } from '@toolgate/core';
import type { Connected } from '../client/connect-client.ts';
import { waitFor } from './wait.ts';

/**
 * Closes a client and the server behind it, and waits until nothing of them is left. Never rejects.
 *
 * @param patience - How long a server may take to answer the farewell; absent: none is said.
 */
export async function closeClient(
  { client, opened }: Connected,
  patience?: { readonly ms: number; readonly clock: Clock },
): Promise<void> {
  if (patience !== undefined) {
    const answered = new AbortController();
    const late = waitFor(patience.ms, patience.clock, answered.signal).catch(() => undefined);
    await Promise.race([opened.farewell().catch(() => undefined), late]);
    answered.abort();
  }
  await client.close().catch(() => undefined);
  await opened.transport.close().catch(() => undefined);
}
