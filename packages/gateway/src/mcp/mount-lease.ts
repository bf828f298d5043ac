import type { McpMount } from '@toolgate/mcp';
import type { McpServerConfig } from '../config/mcp-config.ts';
import type { McpCaller } from './mcp-exchange.ts';

/** A server that is mounted. */
export interface MountedServer {
  readonly config: McpServerConfig;
  readonly mount: McpMount<McpCaller>;
}

/** A server that could not be mounted, and one of our sentences why. */
export interface FailedServer {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** The servers of one configuration. Release it once. */
export interface McpMountLease {
  readonly servers: ReadonlyMap<string, MountedServer>;
  readonly failed: readonly FailedServer[];
  /** Settles when those that nobody else uses are gone, with their processes. */
  release(): Promise<void>;
}

/** The servers of a configuration that names none. */
export const NO_MOUNTS: McpMountLease = Object.freeze({
  servers: new Map(),
  failed: Object.freeze([]),
  release: () => Promise.resolve(),
});
