import { type DriftReport, describeServer, type MountProblem, type MountReport } from '@toolgate/mcp';
import type { ServerMount } from './mount-servers.ts';

/** A server for machines: no variable, no header, no path and no query of it. */
export interface ServerJson {
  readonly name: string;
  readonly mountName: string;
  readonly transport: string;
  readonly status: ServerMount['kind'];
  readonly serverInfo?: MountReport['serverInfo'];
  readonly protocolVersion?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly detail?: string };
  readonly drift?: DriftReport;
  readonly problems?: readonly MountProblem[];
  /** Places of rules that match no tool. */
  readonly unusedRules?: readonly number[];
}

/** What is known of a server, as plain JSON. */
export function toServerJson(each: ServerMount): ServerJson {
  const { name, mountName, transport } = each.server;
  const base = { name, mountName, transport: describeServer(transport), status: each.kind };
  switch (each.kind) {
    case 'disabled':
      return base;
    case 'failed': {
      const { code, message, detail } = each;
      return { ...base, error: { code, message, ...(detail === undefined ? {} : { detail }) } };
    }
    case 'mounted': {
      const { serverInfo, protocolVersion, drift, problems, unusedRules } = each.mount.report;
      return {
        ...base,
        ...(serverInfo === undefined ? {} : { serverInfo }),
        ...(protocolVersion === undefined ? {} : { protocolVersion }),
        ...(drift === undefined ? {} : { drift }),
        problems,
        unusedRules,
      };
    }
  }
}
