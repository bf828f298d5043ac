import type { RouteConfig } from '../../config/gateway-config.ts';

/** Whether a route says in writing that it lets by what nobody here can look at, and names no firewall. */
export function isPassage({ firewall, passthrough }: Pick<RouteConfig, 'firewall' | 'passthrough'>): boolean {
  return passthrough && firewall === undefined;
}
