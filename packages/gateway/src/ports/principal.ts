import type { Scope } from '@toolgate/core';

/** Names that may be used; `'all'` has to be written. */
export type Access = 'all' | readonly string[];

/** Bounds of one key; an absent field is no bound of its own. */
export interface KeyLimits {
  readonly requestsPerMinute?: number;
  /** Requests in flight at once. */
  readonly concurrency?: number;
}

/** What a key lets its holder do. Frozen. */
export interface Grants {
  /** What happens to tools that no rule names: `'deny'` unless the key says `allow` in writing. */
  readonly toolsDefault: 'allow' | 'deny';
  /** Tools that may be used; meaningful with `toolsDefault: 'deny'` only. */
  readonly allow: readonly string[];
  /** Tools that may not be used, whatever else is said. */
  readonly deny: readonly string[];
  /** Names of routes. */
  readonly routes: Access;
  /** Names of mounted MCP servers. */
  readonly servers: Access;
  /** Whether the admin API may be used. */
  readonly admin: boolean;
  readonly limits: KeyLimits;
}

/** Who a request acts for, once its key was recognised. Frozen. */
export interface Principal {
  /** Who it is, as the operator names it; the principal of approvals and audit. Several keys may share one. */
  readonly id: string;
  readonly keyId: string;
  /**
   * Which tools may be used. With `toolsDefault: 'deny'` and an empty allow list no tool may, which a scope cannot
   * say: ask {@link permitsTool}.
   */
  readonly scope: Scope;
  readonly grants: Grants;
  readonly toolsDefault: 'allow' | 'deny';
  readonly admin: boolean;
  readonly routes: Access;
  readonly servers: Access;
  readonly limits: KeyLimits;
}

/** Whether a list of names lets one through. */
export function permits(access: Access, name: string): boolean {
  return access === 'all' || access.includes(name);
}

/** Whether a principal may use a tool at all, before route, authorizer and approval are asked. */
export function permitsTool(principal: Principal, tool: string): boolean {
  if (principal.toolsDefault === 'deny' && principal.grants.allow.length === 0) return false;
  return principal.scope.judge({ name: tool, privileged: false }) === 'permitted';
}
