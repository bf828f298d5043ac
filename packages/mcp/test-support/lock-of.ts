import type { LockedTool, LockFile } from '../src/lock/lock-file.ts';
import { toLockedTool } from '../src/lock/to-locked-tool.ts';

/** A lock in which exactly these definitions were reviewed. */
export function lockOf(servers: Readonly<Record<string, readonly object[]>>): LockFile {
  const locked = Object.entries(servers).map(([server, tools]) => {
    const entries = tools.map((tool): [string, LockedTool] => {
      const taken = toLockedTool(tool);
      return [taken.definition.name, taken];
    });
    return [server, Object.assign(Object.create(null), Object.fromEntries(entries))] as const;
  });
  return { version: 1, servers: Object.assign(Object.create(null), Object.fromEntries(locked)) };
}
