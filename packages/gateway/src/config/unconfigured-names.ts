import type { Access, Grants } from '../ports/principal.ts';
import type { GatewayConfig } from './gateway-config.ts';

/** What a key names and a configuration does not have; neither list is there when it is empty. */
export interface UnconfiguredNames {
  readonly routes?: readonly string[];
  readonly servers?: readonly string[];
}

/** Finds them; `undefined` when there are none. */
export function unconfiguredNames(
  { routes, servers }: Pick<Grants, 'routes' | 'servers'>,
  config: Pick<GatewayConfig, 'mcp' | 'routes'>,
): UnconfiguredNames | undefined {
  const unknownRoutes = without(routes, new Set(config.routes.map(({ name }) => name)));
  const unknownServers = without(servers, new Set(config.mcp.servers.keys()));
  if (unknownRoutes.length + unknownServers.length === 0) return undefined;
  return Object.freeze({
    ...(unknownRoutes.length === 0 ? {} : { routes: unknownRoutes }),
    ...(unknownServers.length === 0 ? {} : { servers: unknownServers }),
  });
}

function without(access: Access, known: ReadonlySet<string>): readonly string[] {
  return access === 'all' ? [] : access.filter((name) => !known.has(name));
}
