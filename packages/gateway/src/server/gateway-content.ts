import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { presentedKey } from '../http/presented-key.ts';
import { createKeyRing } from '../keys/create-key-ring.ts';
import { makePrincipal } from '../keys/make-principal.ts';
import type { StoredKeys } from '../keys/stored-keys.ts';
import type { LlmContent } from '../llm/llm-routes.ts';
import { createRouteTable } from '../llm/routes/route-table.ts';
import type { KeyRing } from '../ports/key-ring.ts';
import { createProvider, type Provider } from '../upstream/provider.ts';

/** Everything that is built from one configuration. */
export interface GatewayContent extends LlmContent {
  readonly config: GatewayConfig;
  readonly keys: KeyRing;
  readonly providers: ReadonlyMap<string, Provider>;
}

/** What a generation is built with. */
export interface GatewayContentOptions {
  readonly clock: Clock;
  readonly stored: StoredKeys;
  readonly keepAliveMs: number;
  readonly stuckMs: number;
}

const ANONYMOUS = 'anonymous';

/** Builds a generation. Nothing of it connects anywhere before the first request. */
export function buildGatewayContent(
  config: GatewayConfig,
  { clock, keepAliveMs, stored, stuckMs }: GatewayContentOptions,
): GatewayContent {
  const providers = new Map<string, Provider>();
  for (const provider of config.providers.values())
    providers.set(provider.name, createProvider(provider, clock));
  const keys = createKeyRing({ keys: config.keys, stored });
  const anonymous = config.auth.required
    ? undefined
    : makePrincipal(ANONYMOUS, ANONYMOUS, config.auth.anonymous);
  return Object.freeze({
    config,
    keys,
    providers,
    routes: createRouteTable(config, providers),
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

/** Closes the connections of a generation that nobody uses any more. */
export async function retireGatewayContent({ providers }: GatewayContent): Promise<void> {
  await Promise.all([...providers.values()].map((provider) => provider.close()));
}
