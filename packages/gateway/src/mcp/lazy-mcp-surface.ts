import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonValue } from '@toolgate/core';
import type { McpConfig } from '../config/mcp-config.ts';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import type { Access } from '../ports/principal.ts';
import { driftOf } from './mcp-drift.ts';
import type { McpExchange } from './mcp-exchange.ts';
import type { McpSurface, McpSurfaceOptions } from './mcp-surface.ts';
import { type McpMountLease, NO_MOUNTS } from './mount-lease.ts';

/** What is shown where nothing is mounted. */
const NOTHING_MOUNTED: JsonValue = Object.freeze({
  servers: Object.freeze([]),
  lookAlikes: Object.freeze([]),
});

/**
 * The MCP surface of a gateway, loaded with the first configuration that names a server, or the first MCP client: most
 * gateways serve models alone, and client and server of MCP take more memory than all the rest.
 *
 * @param options - Of `createMcpSurface`.
 */
export function createLazyMcpSurface(options: McpSurfaceOptions): McpSurface {
  let surface: McpSurface | undefined;
  let loading: Promise<McpSurface> | undefined;
  let used: Parameters<McpSurface['use']> | undefined;
  let closed = false;

  const build = async (): Promise<McpSurface> => {
    const { createMcpSurface } = await import('./mcp-surface.ts');
    surface = createMcpSurface(options);
    if (used !== undefined) surface.use(...used);
    return surface;
  };
  const load = (): Promise<McpSurface> => {
    loading ??= build().catch((error: unknown) => {
      // The next one tries again.
      loading = undefined;
      throw error;
    });
    return loading;
  };

  return Object.freeze({
    async mount(config: McpConfig) {
      if (surface === undefined && config.servers.size === 0) return NO_MOUNTS;
      return (await load()).mount(config);
    },
    use(mounts: McpMountLease, lifetimeMs: number) {
      used = [mounts, lifetimeMs];
      surface?.use(mounts, lifetimeMs);
    },
    has: (server: string) => surface?.has(server) === true,
    standings: () => surface?.standings() ?? [],
    handle(request: IncomingMessage, response: ServerResponse, servers: Access, exchange: McpExchange) {
      if (surface !== undefined) {
        surface.handle(request, response, servers, exchange);
        return;
      }
      load()
        .then((loaded) => {
          if (closed) response.destroy();
          else loaded.handle(request, response, servers, exchange);
        })
        .catch((error: unknown) => {
          options.onDefect(error);
          response.destroy();
        });
    },
    report: () => surface?.report() ?? NOTHING_MOUNTED,
    drift: (record: ApprovalRecord) =>
      surface === undefined ? driftOf(record, undefined) : surface.drift(record),
    async close() {
      closed = true;
      await surface?.close();
    },
  });
}
