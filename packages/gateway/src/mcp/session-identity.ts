import { digest, type JsonObject, type ScopeOptions } from '@toolgate/core';
import type { Principal } from '../ports/principal.ts';
import type { McpCaller } from './mcp-exchange.ts';

/**
 * Whom a session of the MCP surface belongs to: one key with exactly these rights. A session that was begun with
 * another key, or before the rights of the key changed, is not found, and its client begins a new one.
 */
export function sessionPrincipal({ grants, keyId }: Principal): string {
  return digest({ keyId, grants: grants as unknown as JsonObject });
}

/** No tool of a mounted server is called so: those have the name of their server before theirs. */
const NO_TOOL = 'none';

/** The tools that a key may use, as a narrowing of what is served. */
export function narrowingOf({ grants }: Principal): ScopeOptions<McpCaller> {
  const { allow, deny, toolsDefault } = grants;
  if (toolsDefault === 'allow') return { deny };
  return { allow: allow.length === 0 ? [NO_TOOL] : allow, deny };
}
