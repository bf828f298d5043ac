import type { ExecutionClass } from '@toolgate/core';
import type { ClassRule } from './class-rule.ts';
import type { Secret } from './secret.ts';

/** How a server is reached. */
export type McpTransportConfig =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: ReadonlyMap<string, Secret>;
      /** Default: the folder of the configuration's file. */
      readonly cwd: string | undefined;
    }
  | { readonly kind: 'http'; readonly url: URL; readonly headers: ReadonlyMap<string, Secret> };

/** One MCP server whose tools are offered behind the gate. */
export interface McpServerConfig {
  readonly name: string;
  readonly transport: McpTransportConfig;
  /** The class of a tool; `external`, the highest, for one that no rule names. */
  readonly classes: readonly ClassRule[];
  /** Bound of one call, in milliseconds. Default 60,000. */
  readonly timeoutMs: number;
  /** Calls of this class and above need a person's yes; `undefined`: none does. */
  readonly approvalThreshold: ExecutionClass | undefined;
}

/** Mounted servers and the file that pins their tools. */
export interface McpConfig {
  readonly servers: ReadonlyMap<string, McpServerConfig>;
  readonly lock: {
    /** Default `require`. */
    readonly mode: 'require' | 'warn' | 'off';
    /** Default `toolgate.lock.json`, beside the configuration. */
    readonly path: string;
  };
}
