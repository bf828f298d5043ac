import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { everythingClient } from './everything-client.ts';

/** Runs clients for the suite, which starts all of its scenarios at once. */
export interface ClientRunner {
  /** The command that stands for the client. */
  readonly command: string;
  readonly close: () => Promise<void>;
}

/** When nobody has come for so long, all of a suite are there. */
const QUIET_MS = 1_500;

/**
 * The clients begin when the last one has come, because the start of so many processes would count as their slowness,
 * and then a few at a time.
 */
export async function startClientRunner(atOnce: number): Promise<ClientRunner> {
  const waiting: (() => void)[] = [];
  let free = 0;
  let quiet: NodeJS.Timeout | undefined;
  const begin = (): void => {
    for (free = atOnce; free > 0 && waiting.length > 0; free -= 1) waiting.shift()?.();
  };
  const enter = async (): Promise<void> => {
    clearTimeout(quiet);
    quiet = setTimeout(begin, QUIET_MS);
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free = 0;
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
  const script = fileURLToPath(new URL('launch-client.mjs', import.meta.url));
  return {
    command: `${process.execPath} ${script} http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
