import { EMPTY_LOCK, type LockedTool, type LockFile, type ToolDrift } from '@toolgate/mcp';

/** What somebody accepted of the drift of one server. */
export interface AcceptedDrift {
  readonly server: string;
  readonly accepted: readonly ToolDrift[];
}

/** The lock with what was accepted. A server of which nothing was accepted is known from now on all the same. */
export function acceptDrift(lock: LockFile | undefined, reviews: readonly AcceptedDrift[]): LockFile {
  const servers = new Map(Object.entries((lock ?? EMPTY_LOCK).servers));
  for (const { server, accepted } of reviews) {
    const tools = new Map<string, LockedTool>(Object.entries(servers.get(server) ?? {}));
    for (const drift of accepted) {
      if (drift.kind === 'removed') tools.delete(drift.tool);
      else if (drift.kind !== 'unpinnable') {
        tools.set(drift.tool, { digest: drift.digest, definition: drift.definition });
      }
    }
    servers.set(server, Object.fromEntries(tools));
  }
  return { version: 1, servers: Object.fromEntries(servers) };
}
