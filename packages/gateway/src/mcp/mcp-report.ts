import type { JsonObject, JsonValue } from '@toolgate/core';
import { lookAlikes } from '@toolgate/mcp';
import type { McpMountLease, MountedServer } from './mount-lease.ts';

/** What the admin API shows of mounted servers: what each lists, what was found in it, and what failed. */
export function reportServers(mounts: McpMountLease | undefined): JsonValue {
  const mounted = mounts?.servers ?? new Map<string, MountedServer>();
  const servers = [...mounted.values()];
  const alike = lookAlikes(
    servers.flatMap(({ mount }) => mount.report.tools.map(({ tool }) => ({ server: mount.name, tool }))),
  );
  return {
    servers: (mounts?.standings ?? []).map((standing) => ({
      ...standing,
      ...reportOf(mounted.get(standing.name)),
    })),
    lookAlikes: alike as unknown as JsonValue,
  };
}

function reportOf(server: MountedServer | undefined): JsonObject {
  if (server === undefined) return {};
  const { config, mount } = server;
  return {
    approvalThreshold: config.approvalThreshold ?? 'none',
    report: mount.report as unknown as JsonObject,
  };
}
