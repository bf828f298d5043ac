import { digest } from '@toolgate/core';
import { PROTOCOLS, type Protocol } from '@toolgate/model';
import type { FirewallConfig } from '../src/config/firewall-config.ts';
import type { GatewayConfig, ProviderConfig, RouteConfig } from '../src/config/gateway-config.ts';
import { Secret } from '../src/config/secret.ts';
import { NO_GRANTS } from '../src/config/to-grants.ts';
import { keyDigest } from '../src/keys/key-text.ts';
import type { Grants } from '../src/ports/principal.ts';
import type { TrafficEntry } from '../src/ports/traffic-log.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../src/server/create-gateway.ts';
import { type OpenStores, openStores } from '../src/server/open-stores.ts';

/** The key of the client in all tests. */
export const CLIENT_KEY = 'tg_client_key_0123456789';
/** The key of the gateway at every provider. */
export const PROVIDER_KEY = 'provider-secret-0123456789';

/** A provider of a test. */
export type TestProvider = Pick<ProviderConfig, 'protocol'> &
  Partial<Pick<ProviderConfig, 'maxTokensField'>> & { readonly baseUrl: string };

/** What a test wants to be different. */
export interface GatewaySetup {
  /** Base URLs by provider name. */
  readonly providers: Readonly<Record<string, TestProvider>>;
  readonly routes?: readonly Partial<RouteConfig>[];
  readonly grants?: Partial<Grants>;
  readonly config?: Partial<GatewayConfig>;
  readonly timeouts?: Partial<ProviderConfig['timeouts']>;
  readonly options?: Partial<GatewayOptions>;
}

/** A gateway that listens, and what it wrote down. */
export interface TestGateway {
  readonly url: string;
  readonly gateway: Gateway;
  readonly stores: OpenStores;
  readonly traffic: readonly TrafficEntry[];
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

/** Starts a gateway on a free port with its stores in memory. Close it. */
export async function startGateway(setup: GatewaySetup): Promise<TestGateway> {
  const config = testConfig(setup);
  const errors: unknown[] = [];
  const traffic: TrafficEntry[] = [];
  const onError = (error: unknown): void => {
    errors.push(error);
  };
  const stores = await openStores({ storage: config.storage, onError });
  const gateway = await createGateway({
    config,
    stores,
    onError,
    onTraffic: (entry) => traffic.push(entry),
    processMetrics: false,
    // Longer than a busy machine needs for its first client of MCP.
    mountPatienceMs: 60_000,
    ...setup.options,
  });
  const url = await gateway.listen();
  return {
    url,
    gateway,
    stores,
    traffic,
    errors,
    async close() {
      await gateway.close(0);
      await stores.close();
    },
  };
}

/** Uses a gateway and closes it, whatever happens. */
export async function withGateway<Result>(
  setup: GatewaySetup,
  use: (gateway: TestGateway) => Promise<Result>,
): Promise<Result> {
  const gateway = await startGateway(setup);
  try {
    return await use(gateway);
  } finally {
    await gateway.close();
  }
}

/** A configuration with one key that may use everything unless the test says otherwise. */
export function testConfig({ providers, routes, grants, config, timeouts }: GatewaySetup): GatewayConfig {
  const given = new Map<string, ProviderConfig>();
  for (const [name, { baseUrl, maxTokensField, protocol }] of Object.entries(providers)) {
    given.set(name, {
      name,
      protocol,
      baseUrl: new URL(baseUrl),
      apiKey: new Secret(PROVIDER_KEY),
      headers: new Map(),
      maxTokensField,
      timeouts: { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 60_000, ...timeouts },
    });
  }
  const names = Object.keys(providers);
  const defaults: readonly Partial<RouteConfig>[] = names.map((name) => ({
    name,
    model: name,
    candidates: [{ provider: name, model: undefined }],
  }));
  return {
    listen: { host: '127.0.0.1', port: 0, allowedHosts: [], allowedOrigins: [] },
    auth: { required: true, anonymous: NO_GRANTS },
    keys: [
      {
        id: 'client',
        principal: 'ana',
        digest: keyDigest(CLIENT_KEY),
        grants: { ...NO_GRANTS, toolsDefault: 'allow', ...grants },
      },
    ],
    providers: given,
    routes: (routes ?? defaults).map(testRoute),
    mcp: { servers: new Map(), lock: { mode: 'off', path: 'toolgate.lock.json' } },
    storage: { url: new Secret('sqlite::memory:'), contents: false, retentionDays: 30 },
    audit: { allowedCalls: true },
    approvals: { lifetimeMs: 60_000, fourEyes: false, webhook: undefined },
    limits: { bodyBytes: 4 * 1024 * 1024, headerBytes: 32_768, requestMs: 30_000, concurrency: 4_000 },
    digest: digest('test'),
    ...config,
  };
}

function testRoute(route: Partial<RouteConfig>): RouteConfig {
  const model = route.model ?? 'm';
  return {
    name: model,
    model,
    candidates: [],
    control: undefined,
    firewall: undefined,
    strict: false,
    passthrough: false,
    ...route,
  };
}

/** A firewall that refuses nothing unless the test says otherwise. */
export function testFirewall(firewall: Partial<FirewallConfig> = {}): FirewallConfig {
  return {
    mode: 'enforce',
    scope: { allow: [], deny: [] },
    classes: [],
    approve: undefined,
    onRefusal: 'replace',
    maxRounds: 2,
    ...firewall,
  };
}

/** All ordered pairs of a client's protocol and a provider's. */
export const PAIRS: readonly (readonly [Protocol, Protocol])[] = PROTOCOLS.flatMap((surface) =>
  PROTOCOLS.map((backend) => [surface, backend] as const),
);
