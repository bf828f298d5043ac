import type { Clock } from '@toolgate/core';
import { McpError, type MountEvent, mountMcp } from '@toolgate/mcp';
import type { McpConfig, McpServerConfig } from '../config/mcp-config.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { type KeptMount, keepMounted } from './kept-mount.ts';
import { type McpMountLease, type MountedServer, NO_MOUNTS, type ServerStanding } from './mount-lease.ts';
import { type MountBasics, mountIdentity, readMountLock, toMountConfig } from './read-mount.ts';

/** Mounts the servers of configurations; one that did not change from one to the next is mounted once. */
export interface MountPool {
  /**
   * Mounts all servers at the same time. One that cannot be mounted, or not soon, costs the others nothing: it is
   * tried again for as long as the lease is held.
   *
   * @throws GatewayError `gateway/config-invalid` for a server or a lock that makes no sense; nothing is left then.
   */
  acquire(config: McpConfig): Promise<McpMountLease>;
}

/** What a pool is made of. */
export interface MountPoolOptions extends MountBasics {
  /** Told of the server when it comes or goes. */
  readonly onChange: (server: string) => void;
  /** So long a configuration waits for its servers; those that are not there by then come later. */
  readonly patienceMs: number;
}

interface Shared {
  readonly identity: string;
  readonly kept: KeptMount;
  users: number;
}

/** Makes the pool of a gateway. */
export function createMountPool({ onChange, patienceMs, ...basics }: MountPoolOptions): MountPool {
  const { clock } = basics;
  const mounts = new Map<string, Shared>();

  const open = (
    server: McpServerConfig,
    identity: string,
    lock: Awaited<ReturnType<typeof readMountLock>>,
  ) => {
    let said: string | undefined;
    const observe = (event: MountEvent): void => {
      if (event.kind === 'problem') said = event.problem.detail;
      basics.observe(event);
      // The connection is given up right after what is told about it.
      if (event.kind === 'problem') queueMicrotask(() => kept.look());
    };
    const config = toMountConfig(server, lock, { ...basics, observe });
    const kept = keepMounted({
      clock,
      mount: async (signal) => mountMcp({ ...config, signal }),
      said: () => said,
      onChange: () => onChange(server.name),
    });
    return { identity, kept, users: 0 };
  };
  const drop = async (shared: Shared): Promise<void> => {
    shared.users -= 1;
    if (shared.users > 0) return;
    if (mounts.get(shared.identity) === shared) mounts.delete(shared.identity);
    await shared.kept.close();
  };

  return Object.freeze({
    async acquire(config: McpConfig): Promise<McpMountLease> {
      if (config.servers.size === 0) return NO_MOUNTS;
      const lock = await readMountLock(config);
      const held = [...config.servers.values()].map((server) => {
        const identity = mountIdentity(server, lock);
        const shared = mounts.get(identity) ?? open(server, identity, lock);
        shared.users += 1;
        mounts.set(identity, shared);
        shared.kept.hurry();
        return { server, shared };
      });
      let released: Promise<void> | undefined;
      const release = (): Promise<void> => {
        released ??= Promise.all(held.map(({ shared }) => drop(shared))).then(() => undefined);
        return released;
      };
      try {
        await within(patienceMs, clock, Promise.all(held.map(({ shared }) => shared.kept.first)));
      } catch (misuse) {
        await release();
        throw toConfigError(misuse);
      }
      return Object.freeze({
        get servers() {
          return mountedOf(held);
        },
        get standings() {
          return held.map(({ server, shared }): ServerStanding => {
            const { error, state } = shared.kept;
            const heldBack = state === 'mounted' ? heldBackOf(shared.kept.mount) : 0;
            return {
              name: server.name,
              state,
              ...(error === undefined ? {} : { error }),
              ...(heldBack === 0 ? {} : { heldBack }),
            };
          });
        },
        release,
      });
    },
  });
}

function heldBackOf(mount: KeptMount['mount']): number {
  return mount?.report.tools.filter(({ kind }) => kind === 'quarantined').length ?? 0;
}

function mountedOf(
  held: readonly { readonly server: McpServerConfig; readonly shared: Shared }[],
): ReadonlyMap<string, MountedServer> {
  const mounted = new Map<string, MountedServer>();
  for (const { server, shared } of held) {
    const { mount } = shared.kept;
    if (mount !== undefined) mounted.set(server.name, Object.freeze({ config: server, mount }));
  }
  return mounted;
}

/** Waits for something, but not long. */
async function within(patienceMs: number, clock: Clock, work: Promise<unknown>): Promise<void> {
  let timer: unknown;
  const patience = new Promise<void>((resolve) => {
    timer = clock.setTimer(resolve, patienceMs);
  });
  try {
    await Promise.race([work, patience]);
  } finally {
    clock.clearTimer(timer);
  }
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
