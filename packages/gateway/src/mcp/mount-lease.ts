import type { McpMount } from '@toolgate/mcp';
import type { McpServerConfig } from '../config/mcp-config.ts';
import type { McpCaller } from './mcp-exchange.ts';

/** A server whose tools are offered. */
export interface MountedServer {
  readonly config: McpServerConfig;
  readonly mount: McpMount<McpCaller>;
}

/** All states of a server; they are also a label of a metric. */
export const SERVER_STATES = ['mounting', 'mounted', 'broken', 'failed'] as const;

/**
 * How a server stands: on its way for the first time; there; lost after it was there, its tools still offered; or not
 * to be had. What is not there is tried again.
 */
export type ServerState = (typeof SERVER_STATES)[number];

/** How one server of the configuration stands now. */
export interface ServerStanding {
  readonly name: string;
  readonly state: ServerState;
  /** Why it is not there, in one of our sentences, and what it said itself, escaped and without its secrets. */
  readonly error?: { readonly code: string; readonly message: string; readonly detail?: string };
  /** How many of its tools nobody is offered until they are reviewed; absent where there are none. */
  readonly heldBack?: number;
}

/** The servers of one configuration. What it says changes as they come and go. Release it once. */
export interface McpMountLease {
  /** Those whose tools are offered now. */
  readonly servers: ReadonlyMap<string, MountedServer>;
  /** All of them, in the order of the configuration. */
  readonly standings: readonly ServerStanding[];
  /** Settles when those that nobody else uses are gone, with their processes. */
  release(): Promise<void>;
}

/** The servers of a configuration that names none. */
export const NO_MOUNTS: McpMountLease = Object.freeze({
  servers: new Map(),
  standings: Object.freeze([]),
  release: () => Promise.resolve(),
});
