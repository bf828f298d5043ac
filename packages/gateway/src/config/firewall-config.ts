import type { ExecutionClass } from '@toolgate/core';
import type { ClassRule } from './class-rule.ts';

/** Which tools a route lets through, whatever a key may do. */
export interface FirewallScope {
  /** Empty: every tool that is not denied. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Which calls need a person's yes. */
export interface FirewallApproval {
  /** Calls of this class and above; `undefined`: only the tools that are named. */
  readonly threshold: ExecutionClass | undefined;
  /** Tools that always need one: exact names, or with `*`. */
  readonly tools: readonly string[];
  /** Default: that of `approvals`. */
  readonly lifetimeMs: number | undefined;
}

/** The tool firewall of a route. */
export interface FirewallConfig {
  /**
   * `enforce` (default): what is refused does not reach the client. `observe`: everything passes and is recorded; it
   * protects nobody, and has to be written.
   */
  readonly mode: 'enforce' | 'observe';
  readonly scope: FirewallScope;
  /** The class of a tool; `external`, the highest, for one that no rule names. */
  readonly classes: readonly ClassRule[];
  /** `undefined`: no call needs an approval. */
  readonly approve: FirewallApproval | undefined;
  /** `replace` (default): a fixed, marked text for the client. `feedback`: the model is told and goes on. */
  readonly onRefusal: 'replace' | 'feedback';
  /** Hidden rounds with the model after refusals, 1 to 8. Default 2. */
  readonly maxRounds: number;
}
