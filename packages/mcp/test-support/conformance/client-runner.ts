import { createServer } from 'node:http';
import { everythingClient } from './everything-client.ts';

/** Runs clients for the suite, which starts all of its scenarios at once. */
export interface ClientRunner {
  /** What the suite is told to start as the client; see `call-runner.mjs`. */
  readonly command: string;
  readonly close: () => Promise<void>;
}

/** A few clients at a time, because what the others do would count as the slowness of one. */
export async function startClientRunner(atOnce: number): Promise<ClientRunner> {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };

  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const piece of request) body += String(piece);
      await enter();
      try {
        response.end(await everythingClient(JSON.parse(body)));
      } catch (error) {
        response.writeHead(500).end(String(error instanceof Error ? (error.stack ?? error) : error));
      } finally {
        leave();
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    command: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
