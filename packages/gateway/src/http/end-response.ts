import type { ServerResponse } from 'node:http';

/**
 * Ends a response when its client has taken what was written. Node takes a connection for idle whose response has ended, and
 * closes it with a server that stops, although bytes of that are still to go.
 */
export function endResponse(response: ServerResponse): void {
  if (response.writableNeedDrain) response.once('drain', () => response.end());
  else response.end();
}
