import { createServer } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { McpError } from '../../mcp-error.ts';
import { type FetchHandler, nodeListener } from './node-listener.ts';

/** Where a server listens. */
export interface ListenOptions {
  /** Default `127.0.0.1`: this machine alone. Another one needs `allowedHosts`. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** The path of the endpoint. Default `/mcp`. */
  readonly path?: string;
}

/** A server that listens. */
export interface HttpListening {
  /** The address for clients. */
  readonly url: string;
  /** Lets go of the port and of every connection. */
  readonly close: () => Promise<void>;
}

const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
const MAX_CONNECTIONS = 2_000;

/** @throws {@link McpError} `mcp/serve-options-invalid`; the system's error when the port is taken. */
export async function listenHttp(
  handle: FetchHandler,
  { host = '127.0.0.1', port = 0, path = '/mcp' }: ListenOptions,
  loopbackOnly: boolean,
): Promise<HttpListening> {
  if (loopbackOnly && !isLoopback(host)) {
    throw new McpError(
      'mcp/serve-options-invalid',
      'A server that is reached from elsewhere needs allowedHosts: the names under which it is.',
    );
  }
  // Some clients add a slash to whatever address they are given.
  const paths: ReadonlySet<string> = new Set([path, path.endsWith('/') ? path : `${path}/`]);
  const listener = nodeListener((request) =>
    paths.has(new URL(request.url).pathname)
      ? handle(request)
      : Promise.resolve(new Response(null, { status: 404 })),
  );
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, requireHostHeader: true },
    listener,
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return Object.freeze({
    url: `http://${isIP(host) === 6 ? `[${host}]` : host}:${bound}${path}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
