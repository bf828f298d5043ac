import type { GatewayConfig } from '@toolgate/gateway';

/**
 * Says why a gateway with this configuration serves no client, as with a file that is empty by mistake; `undefined` for one
 * that may serve some. It is no fault: keys that were made before can still administer it.
 */
export function whyIdle({
  keys,
  mcp,
  routes,
}: Pick<GatewayConfig, 'keys' | 'mcp' | 'routes'>): string | undefined {
  if (routes.length > 0 || mcp.servers.size > 0) return undefined;
  return `${keys.length === 0 ? 'it has no key, no route' : 'it has no route'} and no MCP server, so that no client is served`;
}
