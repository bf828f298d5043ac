import type { JsonObject } from '@toolgate/core';
import type { HttpServer, StdioServer } from '../client/server-transport.ts';
import type { LockMode } from '../lock/lock-file.ts';
import type { MountRule } from '../mount/mount-rule.ts';

/**
 * What somebody decided about the tools of one server whose names match a pattern: a `MountRule` as plain JSON. The
 * first rule that matches counts.
 */
export interface ToolRuleConfig extends Omit<MountRule, 'available' | 'resourceKey'> {
  /** Calls with the same key run one after the other. */
  readonly resourceKey?: string;
  /** `false`: nobody is offered the tool. */
  readonly available?: boolean;
}

/** A server as it is reached, or why it cannot be. */
export type ConfiguredTransport =
  | StdioServer
  | HttpServer
  | {
      readonly kind: 'unsupported';
      /** One sentence, safe to log. */
      readonly reason: string;
    };

/** One server of a configuration. */
export interface ConfiguredServer {
  /** As written. */
  readonly name: string;
  /**
   * The name for a mount, in locks and in front of tools: the same where it may have that name, else legal characters
   * and a hash.
   */
  readonly mountName: string;
  /** Switched off in the configuration; then no variable of it was looked up and `transport` is `unsupported`. */
  readonly disabled: boolean;
  /** With every variable in its place: it may hold secrets. `describeServer` is for people. */
  readonly transport: ConfiguredTransport;
  readonly rules: readonly ToolRuleConfig[];
  /** Values of headers and variables that must not appear in an output. */
  readonly secrets: readonly string[];
  /** Members of the entry that mean nothing here, as they are. */
  readonly unknown: JsonObject;
}

/** Something in a configuration that a person should know about. */
export interface ConfigNote {
  /**
   * `ignored`: a member that means nothing here. `no-permission`: one by which another client would skip the question.
   * `unsupported`: one that would change what is started or offered, and does not here.
   */
  readonly kind: 'ignored' | 'no-permission' | 'unsupported';
  /** Where it stands (RFC 6901). */
  readonly pointer: string;
  /** One sentence, safe to log. */
  readonly text: string;
}

/** The servers that somebody configured for an editor or an agent, and what Toolgate is told about them. */
export interface McpConfig {
  /** In the order of the file. */
  readonly servers: readonly ConfiguredServer[];
  readonly lock: {
    /** As written; a relative path starts at the folder of the configuration. Default `toolgate.lock.json`. */
    readonly file: string;
    /** Default `require`. */
    readonly mode: LockMode;
  };
  readonly notes: readonly ConfigNote[];
}
