import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { presentedKey } from '../http/presented-key.ts';
import { createKeyRing } from '../keys/create-key-ring.ts';
import { makePrincipal } from '../keys/make-principal.ts';
import type { StoredKeys } from '../keys/stored-keys.ts';
import type { LlmContent } from '../llm/llm-routes.ts';
import { createRouteTable } from '../llm/routes/route-table.ts';
import type { McpMountLease } from '../mcp/mount-lease.ts';
import type { KeyRing } from '../ports/key-ring.ts';
import { createProvider, type Provider } from '../upstream/provider.ts';
import { secretsOfConfig } from './config-secrets.ts';

/** Everything that is built from one configuration. */
export interface GatewayContent extends LlmContent {
  readonly config: GatewayConfig;
  readonly keys: KeyRing;
  readonly providers: ReadonlyMap<string, Provider>;
  /** Its mounted MCP servers. */
  readonly mcp: McpMountLease;
  /** Every secret text of the configuration. */
  readonly secrets: readonly string[];
}

/** What a generation is built with. */
export interface GatewayContentOptions {
  readonly clock: Clock;
  readonly stored: StoredKeys;
  readonly keepAliveMs: number;
  readonly stuckMs: number;
  readonly mount: (config: GatewayConfig['mcp']) => Promise<McpMountLease>;
}

const ANONYMOUS = 'anonymous';

/**
 * Builds a generation: MCP servers are mounted, and providers are connected to with the first request.
 *
 * @throws GatewayError `gateway/config-invalid`; nothing is left then.
 */
export async function buildGatewayContent(
  config: GatewayConfig,
  { clock, keepAliveMs, mount, stored, stuckMs }: GatewayContentOptions,
): Promise<GatewayContent> {
  const providers = new Map<string, Provider>();
  for (const provider of config.providers.values())
    providers.set(provider.name, createProvider(provider, clock));
  const keys = createKeyRing({ keys: config.keys, stored });
  const anonymous = config.auth.required
    ? undefined
    : makePrincipal(ANONYMOUS, ANONYMOUS, config.auth.anonymous);
  const routes = createRouteTable(config, providers);
  return Object.freeze({
    config,
    keys,
    providers,
    routes,
    mcp: await mount(config.mcp),
    secrets: secretsOfConfig(config),
    settings: {
      contents: config.storage.contents,
      auditAllowed: config.audit.allowedCalls,
      keepAliveMs,
      stuckMs,
    },
    // Where no key is needed, one that is not known is as good as none: clients have to send something.
    authenticate: async (headers: IncomingHttpHeaders) => {
      const principal = await keys.authenticate(presentedKey(headers));
      return principal ?? anonymous;
    },
  });
}

/** Closes the connections of a generation that nobody uses any more, and ends servers that no other one uses. */
export async function retireGatewayContent({ mcp, providers }: GatewayContent): Promise<void> {
  await Promise.all([mcp.release(), ...[...providers.values()].map((provider) => provider.close())]);
}
