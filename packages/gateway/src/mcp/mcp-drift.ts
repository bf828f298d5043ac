import type { JsonObject, JsonValue } from '@toolgate/core';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import type { McpMountLease } from './mount-lease.ts';

/**
 * How the tool of an approval stands now: to what was reviewed, and to what the approval was asked for. A yes to a call
 * whose contract has changed permits nothing.
 */
export function driftOf(record: ApprovalRecord, mounts: McpMountLease | undefined): JsonValue | undefined {
  if (record.origin !== 'mcp') return undefined;
  const report = mounts?.servers.get(record.place)?.mount.report;
  if (report === undefined) return { state: 'server-gone' };
  const tool = report.tools.find((each) => each.kind !== 'disabled' && each.name === record.tool);
  if (tool === undefined) return { state: 'tool-gone' };
  const changed = tool.kind !== 'offered' || tool.contractDigest !== record.contractDigest;
  const review = report.drift?.drift.find((each) => each.tool === tool.tool);
  if (!changed && review === undefined) return undefined;
  return {
    state: tool.kind === 'offered' ? (changed ? 'contract-changed' : 'offered') : tool.kind,
    ...(review === undefined ? {} : { review: review as unknown as JsonObject }),
  };
}
