// #region mount
import { createGate, createScope, type Gate } from '@toolgate/core';
import { type LockFile, type McpMount, mountMcp } from '@toolgate/mcp';

/** The tools of a server behind a gate, as far as somebody has reviewed them. */
export async function openNotes(command: string, args: readonly string[], lock: LockFile) {
  const notes: McpMount = await mountMcp({
    name: 'notes',
    transport: { kind: 'stdio', command, args },
    lock: { mode: 'require', file: lock },
    // Without a rule a tool is external, whatever it says about itself.
    rules: [
      { tool: 'read_*', class: 'read', timeoutMs: 5_000 },
      { tool: 'write_file', class: 'write', resourceKey: 'notes' },
    ],
  });
  const scope = createScope({ deny: ['move_file'], approvalThreshold: 'write', approve: () => 'decline' });
  const gate: Gate = createGate({ tools: notes.tools, scope });
  return { notes, gate };
}
// #endregion
