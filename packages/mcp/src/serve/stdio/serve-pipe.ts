import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Connection } from '../connection.ts';
import { type Identity, readIdentity } from '../identity.ts';
import { mcpServer } from '../mcp-server.ts';
import type { ServiceCore } from '../service-core.ts';
import { StdioWire } from './stdio-wire.ts';

/** The ends of a pipe. */
export interface PipeOptions {
  /** Default: the standard input of this process. */
  readonly input?: Readable;
  /** Default: the standard output of this process. Nothing else may write to it. */
  readonly output?: Writable;
}

/** One client on a pipe. */
export interface PipeService {
  /** Settles when the client is gone and everything it called has come to its end. */
  readonly closed: Promise<void>;
  /** Cancels what has no answer, joins it, and lets go of the pipe. */
  readonly close: () => Promise<void>;
}

/** Of one client, which needs one. */
const MAX_SUBSCRIPTIONS = 16;

/** Serves one client, of either generation of the protocol, that acts for one principal. */
export function servePipe<Context>(
  core: ServiceCore<Context>,
  identity: Identity<Context>,
  { input = process.stdin, output = process.stdout }: PipeOptions = {},
): PipeService {
  const connection = new Connection(core, readIdentity(identity));
  const { clock, limits, report, serverInfo } = core.settings;
  let gone: (() => void) | undefined;
  const closed = new Promise<void>((resolve) => {
    gone = resolve;
  }).then(() => connection.close());
  const transport = new StdioWire({
    input,
    output,
    maxMessageBytes: limits.maxMessageBytes,
    maxMessageDepth: limits.maxMessageDepth,
    maxOpenRequests: limits.maxCalls * 2,
    drainMs: limits.drainMs,
    clock,
    onGone: () => gone?.(),
  });
  const handle = serveStdio(
    () => {
      // A client may knock with one generation and come in with the other: both ends are the same connection.
      const { server } = mcpServer(connection, (options) => ({ server: new Server(serverInfo, options) }));
      connection.onListChange = () => void server.sendToolListChanged().catch(report);
      return server;
    },
    { transport, onerror: report, maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  return Object.freeze({
    closed,
    close: async () => {
      await handle.close();
      await closed;
    },
  });
}
