import { isPrivileged, profileOf } from '@toolgate/core';
import {
  type DriftReport,
  type Finding,
  type LockFile,
  lockedTool,
  type McpMount,
  type MountedTool,
} from '@toolgate/mcp';
import type { BoundDefinition } from '../definitions/bound-definition.ts';
import { reportTools, type ToolReport } from '../inspect/tool-report.ts';
import { hides } from './review-drift.ts';

/** How a tool stands to the lock: `none` where there is no lock. */
export type LockStanding = 'reviewed' | 'changed' | 'new' | 'none';

/** All that is known about one tool of a server without calling it. Plain JSON. */
export interface MountedToolReport extends Omit<ToolReport, 'form' | 'alias'> {
  /** The name that the server gives. */
  readonly tool: string;
  readonly lock: LockStanding;
  /** What a reviewer should look at. */
  readonly findings: readonly Finding[];
}

/** A report of each tool of a mounted server, in the order of the server. */
export function reportMounted(mount: McpMount, lock: LockFile | undefined): readonly MountedToolReport[] {
  const bound = boundDefinitions(mount);
  // All at once, because names are compared with one another.
  const reports = new Map(reportTools([...bound.values()]).map((report) => [report.name, report]));
  return mount.report.tools.map((tool): MountedToolReport => {
    const lockStanding = standingOf(tool, mount.report.drift, lock, mount.name);
    const base = { tool: tool.tool, lock: lockStanding, findings: tool.findings };
    const report = tool.kind === 'disabled' ? undefined : reports.get(tool.name);
    if (report !== undefined) {
      const { form: _form, alias: _alias, ...rest } = report;
      return { ...base, ...rest, faults: [...rest.faults, ...hiddenFaults(tool, lockStanding)] };
    }
    const fault =
      tool.kind === 'disabled'
        ? {
            code: 'mcp/definition-invalid',
            message: tool.reason,
            ...(tool.pointer === undefined ? {} : { pointer: tool.pointer }),
          }
        : { code: 'mcp/definition-invalid', message: 'The tool is held back.' };
    return { ...base, name: tool.tool, class: tool.class, privileged: false, faults: [fault] };
  });
}

function boundDefinitions(mount: McpMount): ReadonlyMap<string, BoundDefinition> {
  return new Map(
    mount.tools.map(({ contract, tool }) => {
      const { name } = contract.definition;
      const own = {
        form: 'mcp',
        name,
        class: profileOf(tool).class,
        privileged: isPrivileged(tool),
      } as const;
      return [name, { ...own, contract }];
    }),
  );
}

function standingOf(
  tool: MountedTool,
  drift: DriftReport | undefined,
  lock: LockFile | undefined,
  server: string,
): LockStanding {
  if (lock === undefined) return 'none';
  if (lockedTool(lock, server, tool.tool) === undefined) return 'new';
  return drift?.drift.some((each) => each.tool === tool.tool) === true ? 'changed' : 'reviewed';
}

/** What a reader does not see is an error until somebody has said that it is known. */
function hiddenFaults(tool: MountedTool, lock: LockStanding): ToolReport['faults'] {
  if (lock === 'reviewed') return [];
  return tool.findings.filter(hides).map(({ kind, pointer, detail }) => ({
    code: 'mcp/definition-invalid',
    message: `${kind}: ${detail}`,
    pointer,
  }));
}
