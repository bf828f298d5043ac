import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An address that takes news about approvals, and what came there. */
export interface HookReceiver {
  readonly url: URL;
  readonly received: readonly { readonly body: string; readonly signature: string }[];
}

/** Opens one until the test is over. */
export async function hookReceiver(): Promise<HookReceiver> {
  const received: { readonly body: string; readonly signature: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = String(request.headers['webhook-signature']);
      received.push({ body: Buffer.concat(chunks).toString('utf8'), signature });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { received, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`) };
}
