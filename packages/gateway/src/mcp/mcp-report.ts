import type { JsonObject, JsonValue } from '@toolgate/core';
import { lookAlikes } from '@toolgate/mcp';
import type { McpMountLease } from './mount-lease.ts';

/** What the admin API shows of mounted servers: what each lists, what was found in it, and what failed. */
export function reportServers(mounts: McpMountLease | undefined): JsonValue {
  const servers = [...(mounts?.servers.values() ?? [])];
  const alike = lookAlikes(
    servers.flatMap(({ mount }) => mount.report.tools.map(({ tool }) => ({ server: mount.name, tool }))),
  );
  return {
    servers: [
      ...servers.map(({ config, mount }) => ({
        name: config.name,
        state: 'mounted',
        approvalThreshold: config.approvalThreshold ?? 'none',
        report: mount.report as unknown as JsonObject,
      })),
      ...(mounts?.failed ?? []).map(({ code, message, name }) => ({
        name,
        state: 'failed',
        error: { code, message },
      })),
    ],
    lookAlikes: alike as unknown as JsonValue,
  };
}
