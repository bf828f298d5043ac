import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it came to the provider. */
export interface RawRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Answers one request; what it throws breaks the connection. */
export type RawAnswer = (response: ServerResponse, request: RawRequest) => void | Promise<void>;

/** A provider that sends exactly what a test says. Close it. */
export interface RawProvider {
  /** Without a version. */
  readonly origin: string;
  readonly requests: readonly RawRequest[];
  /** Answers that are not over: neither ended nor broken by the other side. */
  readonly open: number;
  /** Settles when no answer is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a provider; request number n gets answer number n, and the last one again and again. */
export async function startRawProvider(...answers: readonly RawAnswer[]): Promise<RawProvider> {
  const requests: RawRequest[] = [];
  let open = 0;
  let waiting: (() => void)[] = [];
  const closed = (): void => {
    open -= 1;
    if (open > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    const request = { path: message.url ?? '', headers: message.headers, body: Buffer.concat(chunks) };
    requests.push(request);
    await answer?.(response, request);
  };
  const server = createServer((message, response) => {
    open += 1;
    response.once('close', closed);
    serve(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get open() {
      return open;
    },
    idle: () => (open === 0 ? Promise.resolve() : new Promise<void>((done) => waiting.push(done))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends a JSON text as the whole answer. */
export function sendJson(
  body: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): RawAnswer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

/** Streams texts, each written by itself, and ends the body unless it shall stay open. */
export function sendEvents(
  pieces: readonly (string | Uint8Array)[],
  end: 'end' | 'stay' | 'break' = 'end',
): RawAnswer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    if (end === 'end') response.end();
    else if (end === 'break') response.destroy();
  };
}
