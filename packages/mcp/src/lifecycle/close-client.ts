import type { Connected } from '../client/connect-client.ts';
import { closeTransport } from '../client/guard-transport.ts';

/**
 * Closes a client and the server behind it, and waits until nothing of them is left. Never rejects.
 *
 * @param farewell - Whether the server is told, which keeps a session until then.
 */
export async function closeClient(
  { client, opened }: Connected,
  { farewell }: { readonly farewell: boolean },
): Promise<void> {
  if (farewell) await opened.farewell();
  await closeTransport(client);
  await closeTransport(opened.transport);
}
