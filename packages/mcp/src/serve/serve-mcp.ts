import type { RequestListener } from 'node:http';
import type { Gate } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { httpHandler } from './http/http-handler.ts';
import { type HttpListening, type ListenOptions, listenHttp } from './http/listen-http.ts';
import { nodeListener } from './http/node-listener.ts';
import type { Identity } from './identity.ts';
import { readServeOptions, type ServeOptions } from './serve-options.ts';
import { ServiceCore } from './service-core.ts';
import { type PipeOptions, type PipeService, servePipe } from './stdio/serve-pipe.ts';

/** The tools of a gate, served over MCP. Any number of clients at the same time; close it when it is done. */
export interface McpService<Context = unknown> {
  /** Answers one HTTP request, in any runtime of the Fetch standard. Needs `authenticate`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same for `node:http`. */
  readonly listener: RequestListener;
  /** Listens on a port of this machine. */
  readonly listen: (options?: ListenOptions) => Promise<HttpListening>;
  /** Serves one client on a pipe, which acts for one principal. */
  readonly stdio: (identity: Identity<Context>, options?: PipeOptions) => PipeService;
  /**
   * Serves the tools of another gate from now on, and tells clients that the list has changed. Calls that run, and
   * clients that do not list again, keep what they were shown.
   */
  readonly replaceGate: (gate: Gate<Context>) => void;
  /** Takes no further request, cancels and joins what runs, and lets go of ports and pipes. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the tools of a gate over MCP, revisions 2026-07-28 and 2025-11-25 and older ones that the SDK negotiates. A
 * list shows what a caller may use; a call runs through the gate like any other one and is answered with its outcome.
 *
 * @throws {@link McpError} `mcp/serve-options-invalid`.
 */
export function serveMcp<Context = unknown>(
  gate: Gate<Context>,
  options: ServeOptions<Context> = {},
): McpService<Context> {
  const core = new ServiceCore(gate, readServeOptions(options));
  const http = httpHandler(core);
  const pipes = new Set<PipeService>();
  const ports = new Set<HttpListening>();
  let closed: Promise<void> | undefined;

  const checkOpen = (): void => {
    if (core.closing) throw new McpError('mcp/serve-options-invalid', 'The server was closed.');
  };

  const close = async (): Promise<void> => {
    const joined = core.close();
    await Promise.all([joined, http.close(), ...[...pipes].map((pipe) => pipe.close())]);
    await Promise.all([...ports].map((port) => port.close()));
  };

  return Object.freeze({
    fetch: http.fetch,
    listener: nodeListener(http.fetch),
    listen: async (where: ListenOptions = {}) => {
      checkOpen();
      const { authenticate, loopbackOnly } = core.settings;
      if (authenticate === undefined) {
        throw new McpError('mcp/serve-options-invalid', 'A server on a port needs authenticate.');
      }
      const port = await listenHttp(http.fetch, where, loopbackOnly);
      ports.add(port);
      return port;
    },
    stdio: (identity: Identity<Context>, ends: PipeOptions = {}) => {
      checkOpen();
      const pipe = servePipe(core, identity, ends);
      pipes.add(pipe);
      void pipe.closed.then(() => pipes.delete(pipe));
      return pipe;
    },
    replaceGate: (next: Gate<Context>) => {
      core.replaceGate(next);
      http.noteChange();
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  });
}
