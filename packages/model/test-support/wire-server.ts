import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a client sent. */
export interface SeenRequest {
  readonly path: string;
  readonly body: string;
}

/** What the server answers. */
export interface ServerAnswer {
  readonly status?: number;
  readonly type: 'application/json' | 'text/event-stream';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent one after the other, each in its own write. */
  readonly pieces: readonly (string | Uint8Array)[];
}

/** Runs a local HTTP server for the time of `use`; it is closed, with all its connections, when `use` settles. */
export async function withWireServer<Result>(
  answer: (request: SeenRequest) => ServerAnswer,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const { status = 200, type, headers, pieces } = answer({ path: request.url ?? '', body });
        response.writeHead(status, { ...headers, 'content-type': type });
        for (const piece of pieces) response.write(piece);
        response.end();
      },
      () => response.destroy(),
    );
  });
  const port = await listen(server);
  try {
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
