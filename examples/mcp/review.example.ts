// #region review
import { type DriftReport, type LockedTool, type LockFile, lockedServer, writeLock } from '@toolgate/mcp';

/** The text of the lock file after somebody has read the drift of a server and accepted the tools with these names. */
export function acceptTools(lock: LockFile, report: DriftReport, accepted: readonly string[]): string {
  const tools = new Map<string, LockedTool>(Object.entries(lockedServer(lock, report.server) ?? {}));
  for (const drift of report.drift) {
    if (!accepted.includes(drift.tool) || drift.kind === 'unpinnable') continue;
    if (drift.kind === 'removed') tools.delete(drift.tool);
    else tools.set(drift.tool, { digest: drift.digest, definition: drift.definition });
  }
  return writeLock({ version: 1, servers: { ...lock.servers, [report.server]: Object.fromEntries(tools) } });
}
// #endregion
