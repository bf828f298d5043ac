import {
  type AuthProvider,
  type FetchLike,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { boundFetch } from './bound-fetch.ts';
import { ownHeaders } from './own-headers.ts';
import { patientFetch } from './patient-fetch.ts';
import { patientReconnection } from './reconnection.ts';
import { StdioTransport } from './stdio-transport.ts';

/** A server that is started as a child process and ends with the mount. */
export interface StdioServer {
  readonly kind: 'stdio';
  /** The executable; no shell looks at it. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Besides `HOME`, `LOGNAME`, `PATH`, `SHELL`, `TERM` and `USER`; nothing else of this process is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: that of this process. */
  readonly cwd?: string;
}

/** A server that is reached over streamable HTTP. */
export interface HttpServer {
  readonly kind: 'http';
  readonly url: string | URL;
  /** Sent with every request to the server and to the rest of its origin; to no other one, which a login may lead to. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The SDK's OAuth provider, or a source of bearer tokens. Asked again after an answer 401. */
  readonly auth?: OAuthClientProvider | AuthProvider;
  /** Default: the platform's. */
  readonly fetch?: FetchLike;
}

/** Any other transport of the SDK, such as its in-memory pair. Made anew for each connection. */
export interface CustomServer {
  readonly kind: 'custom';
  /** Makes a transport that was not started; it is closed with its connection. */
  readonly open: () => Transport | Promise<Transport>;
}

/** How a server is reached. */
export type ServerTransport = StdioServer | HttpServer | CustomServer;

/** What is known of the end of a server, where it is a child process. */
export interface Epitaph {
  /** How it ended, in a few words. */
  readonly end: string | undefined;
  /** What it sent that could not be taken, where that was the reason. */
  readonly fault: McpError | undefined;
  /** The last that it wrote to its error output, as it is. */
  readonly stderr: string;
}

/** A transport that was made but not started, and what can be asked of it. */
export interface OpenedTransport {
  readonly transport: Transport;
  readonly epitaph: () => Epitaph;
  /** Tells a server that its session ends, where there is one; does not wait for ever, and never rejects. */
  readonly farewell: () => Promise<void>;
}

/** Bounds of a transport. */
export interface TransportLimits {
  readonly maxMessageBytes: number;
  readonly closeGraceMs: number;
}

/**
 * Makes the transport of one connection.
 *
 * @param onRefused - Told of a message that is too large or ambiguous where that does not end the connection.
 * @throws {@link McpError} `mcp/options-invalid` for an address that is none, or not of HTTP.
 */
export async function openTransport(
  server: ServerTransport,
  limits: TransportLimits,
  clock: Clock,
  onRefused: (error: McpError) => void,
): Promise<OpenedTransport> {
  switch (server.kind) {
    case 'stdio':
      return openStdio(server, limits, onRefused);
    case 'http':
      return openHttp(server, limits, clock, onRefused);
    case 'custom':
      return { transport: await server.open(), epitaph: () => NOTHING, farewell: async () => undefined };
  }
}

const NOTHING: Epitaph = Object.freeze({ end: undefined, fault: undefined, stderr: '' });

function openStdio(
  server: StdioServer,
  { maxMessageBytes, closeGraceMs }: TransportLimits,
  onRefused: (error: McpError) => void,
): OpenedTransport {
  const transport = new StdioTransport({
    command: server.command,
    args: server.args ?? [],
    env: server.env ?? {},
    cwd: server.cwd,
    maxMessageBytes,
    closeGraceMs,
    onRefused,
  });
  return {
    transport,
    epitaph: () => ({
      end: transport.end,
      fault: McpError.is(transport.fault) ? transport.fault : undefined,
      stderr: transport.stderrTail,
    }),
    farewell: async () => undefined,
  };
}

function openHttp(
  server: HttpServer,
  { maxMessageBytes, closeGraceMs }: TransportLimits,
  clock: Clock,
  onRefused: (error: McpError) => void,
): OpenedTransport {
  const url = toHttpUrl(server.url);
  const { fetch = patientFetch, headers } = server;
  // As `requestInit` the SDK would send them to whoever the server names for its login.
  const send = headers === undefined ? fetch : ownHeaders(fetch, url, headers);
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: boundFetch(send, maxMessageBytes, onRefused, clock),
    reconnectionScheduler: patientReconnection(clock),
    ...(server.auth === undefined ? {} : { authProvider: server.auth }),
  });
  const farewell = async (): Promise<void> => {
    let late: unknown;
    const over = new Promise<void>((resolve) => {
      late = clock.setTimer(resolve, closeGraceMs);
    });
    await Promise.race([transport.terminateSession().catch(() => undefined), over]);
    clock.clearTimer(late);
  };
  return { transport, epitaph: () => NOTHING, farewell };
}

/**
 * An address of HTTP.
 *
 * @throws {@link McpError} `mcp/options-invalid`
 */
export function toHttpUrl(url: string | URL): URL {
  const read = URL.parse(String(url));
  if (read === null || (read.protocol !== 'http:' && read.protocol !== 'https:')) {
    throw new McpError('mcp/options-invalid', 'The url of a server has to be an address of http or https.');
  }
  return read;
}
