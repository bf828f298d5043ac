import { McpError, type McpMount, mountMcp } from '@toolgate/mcp';
import type { McpConfig } from '../config/mcp-config.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { McpCaller } from './mcp-exchange.ts';
import { type FailedServer, type McpMountLease, type MountedServer, NO_MOUNTS } from './mount-lease.ts';
import { type MountBasics, mountIdentity, readMountLock, toMountConfig } from './read-mount.ts';

/** Mounts the servers of configurations; one that did not change from one to the next is mounted once. */
export interface MountPool {
  /**
   * Mounts all servers at the same time. One that cannot be mounted costs the others nothing.
   *
   * @throws GatewayError `gateway/config-invalid` for a server or a lock that makes no sense; nothing is left then.
   */
  acquire(config: McpConfig): Promise<McpMountLease>;
}

interface Shared {
  readonly identity: string;
  readonly mounting: Promise<McpMount<McpCaller>>;
  users: number;
}

/** Makes the pool of a gateway. */
export function createMountPool(basics: MountBasics): MountPool {
  const mounts = new Map<string, Shared>();

  const drop = async (shared: Shared): Promise<void> => {
    shared.users -= 1;
    if (shared.users > 0) return;
    if (mounts.get(shared.identity) === shared) mounts.delete(shared.identity);
    await shared.mounting.then(
      (mount) => mount.close(),
      () => undefined,
    );
  };

  return Object.freeze({
    async acquire(config: McpConfig): Promise<McpMountLease> {
      if (config.servers.size === 0) return NO_MOUNTS;
      const lock = await readMountLock(config);
      const wanted = [...config.servers.values()];
      const held = wanted.map((server) => {
        const identity = mountIdentity(server, lock);
        const known = mounts.get(identity);
        const shared = known ?? {
          identity,
          mounting: mountMcp(toMountConfig(server, lock, basics)),
          users: 0,
        };
        shared.users += 1;
        mounts.set(identity, shared);
        return shared;
      });
      const settled = await Promise.allSettled(held.map(({ mounting }) => mounting));
      const servers = new Map<string, MountedServer>();
      const failed: FailedServer[] = [];
      let misuse: unknown;
      for (const [index, server] of wanted.entries()) {
        const result = settled[index];
        const shared = held[index];
        if (result === undefined || shared === undefined) continue;
        if (result.status === 'fulfilled') {
          servers.set(server.name, Object.freeze({ config: server, mount: result.value }));
          continue;
        }
        const { reason } = result;
        // The next configuration tries again.
        if (mounts.get(shared.identity) === shared) mounts.delete(shared.identity);
        if (!McpError.is(reason) || reason.code === 'mcp/options-invalid') misuse ??= reason;
        else failed.push(Object.freeze({ name: server.name, code: reason.code, message: reason.message }));
      }
      let released: Promise<void> | undefined;
      const release = async (): Promise<void> => {
        await Promise.all(held.map(drop));
      };
      if (misuse !== undefined) {
        await release();
        throw toConfigError(misuse);
      }
      return Object.freeze({
        servers,
        failed: Object.freeze(failed),
        release: () => {
          released ??= release();
          return released;
        },
      });
    },
  });
}

function toConfigError(cause: unknown): unknown {
  if (!McpError.is(cause)) return cause;
  return new GatewayError(
    'gateway/config-invalid',
    `An MCP server cannot be mounted as written: ${cause.message}`,
    {
      cause,
      place: { pointer: '/mcp/servers' },
    },
  );
}
