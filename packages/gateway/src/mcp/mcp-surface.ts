import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authorizer, Clock, JsonValue } from '@toolgate/core';
import { type McpService, type MountEvent, serveMcp } from '@toolgate/mcp';
import type { McpConfig } from '../config/mcp-config.ts';
import type { AuditGuard } from '../llm/firewall/audit-guard.ts';
import type { Caller } from '../llm/firewall/caller.ts';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import type { GatewayStores } from '../ports/gateway-stores.ts';
import type { Access } from '../ports/principal.ts';
import { buildMcpGate, type McpGate } from './build-gate.ts';
import { createCallRecorder } from './call-recorder.ts';
import { driftOf } from './mcp-drift.ts';
import type { McpCaller, McpExchange } from './mcp-exchange.ts';
import { reportServers } from './mcp-report.ts';
import type { McpMountLease, MountedServer, ServerStanding } from './mount-lease.ts';
import { createMountPool } from './mount-pool.ts';
import { narrowingOf, sessionPrincipal } from './session-identity.ts';
import { createStoreDesk } from './store-desk.ts';

/** What the MCP surface is made of. */
export interface McpSurfaceOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly stores: GatewayStores;
  readonly audit: AuditGuard;
  readonly authorize: Authorizer<Caller> | undefined;
  readonly bodyBytes: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** So long a configuration waits for its servers. */
  readonly mountPatienceMs: number;
  /** Told what happens to mounted servers. */
  readonly onMountEvent: (event: MountEvent) => void;
  /** Told when a server of the configuration that serves comes or goes. */
  readonly onStanding: (standing: ServerStanding) => void;
  readonly onDefect: (error: unknown) => void;
}

/** Mounted servers behind gates, served over MCP to whoever has a key. Close it after its last configuration. */
export interface McpSurface {
  /**
   * Mounts what a configuration names, beside what is served now.
   *
   * @throws GatewayError `gateway/config-invalid`; nothing is left then.
   */
  mount(config: McpConfig): Promise<McpMountLease>;
  /** Serves these from now on, and tells clients that their lists have changed. */
  use(mounts: McpMountLease, lifetimeMs: number): void;
  /** Whether there is a server of this name. */
  has(server: string): boolean;
  /** Answers one request with the tools of some servers; `exchange` says for whom. */
  handle(request: IncomingMessage, response: ServerResponse, servers: Access, exchange: McpExchange): void;
  /** How the servers of the configuration stand now. */
  standings(): readonly ServerStanding[];
  /** Mounted servers with their tools and findings. */
  report(): JsonValue;
  /** How the tool of an approval stands to what was reviewed, where there is a difference. */
  drift(record: ApprovalRecord): JsonValue | undefined;
  /** Cancels and joins what runs. The mounts are the configurations' own. */
  close(): Promise<void>;
}

interface Served {
  readonly servers: Access;
  readonly service: McpService<McpCaller>;
  built: McpGate;
}

/** Makes the surface of a gateway; it serves nothing before the first configuration. */
export function createMcpSurface(options: McpSurfaceOptions): McpSurface {
  const { authorize, clock, newId, onDefect, stores } = options;
  const exchanges = new AsyncLocalStorage<McpExchange>();
  const recorder = createCallRecorder({
    exchanges,
    calls: stores.calls,
    audit: options.audit,
    newId,
    authorize,
  });
  const pool = createMountPool({
    clock,
    patienceMs: options.mountPatienceMs,
    authorize: recorder.authorize,
    observe(event) {
      options.onMountEvent(event);
      // The mount has the list by now, but may still be on its way to whoever waits for it.
      if (event.kind !== 'generation') return;
      queueMicrotask(() => {
        renew(event.server);
        const standing = standingOf(event.server);
        if (standing?.heldBack !== undefined) options.onStanding(standing);
      });
    },
    onChange(server) {
      renew(server);
      const standing = standingOf(server);
      if (standing !== undefined) options.onStanding(standing);
    },
  });
  let mounts: McpMountLease | undefined;
  const standingOf = (server: string): ServerStanding | undefined =>
    mounts?.standings.find(({ name }) => name === server);
  let lifetimeMs = 0;
  const services = new Map<string, Served>();

  const build = (servers: Access): McpGate => {
    const all: readonly MountedServer[] = [...(mounts?.servers.values() ?? [])];
    const wanted = all.filter(({ config }) => servers === 'all' || servers.includes(config.name));
    return buildMcpGate(wanted, { clock, newId, lifetimeMs, observe: recorder.observe });
  };
  const renew = (server?: string): void => {
    for (const served of services.values()) {
      if (server !== undefined && served.servers !== 'all' && !served.servers.includes(server)) continue;
      try {
        served.built = build(served.servers);
        served.service.replaceGate(served.built.gate);
      } catch (error) {
        onDefect(error);
      }
    }
  };
  const open = (servers: Access): Served => {
    const built = build(servers);
    const desk = createStoreDesk({
      approvals: stores.approvals,
      exchanges,
      toolOf: (name) => served.built.tools.get(name),
    });
    const service = serveMcp<McpCaller>(built.gate, {
      clock,
      desk,
      onError: onDefect,
      limits: {
        maxMessageBytes: options.bodyBytes,
        bodyTimeoutMs: options.requestMs,
        keepAliveMs: options.keepAliveMs,
      },
      authenticate: () => {
        const exchange = exchanges.getStore();
        if (exchange === undefined) return { kind: 'refused' };
        const { principal } = exchange;
        return {
          kind: 'accepted',
          principal: sessionPrincipal(principal),
          context: Object.freeze({ principal }),
          narrow: narrowingOf(principal),
        };
      },
    });
    const served: Served = { servers, service, built };
    return served;
  };

  return Object.freeze({
    mount: (config: McpConfig) => pool.acquire(config),
    use(next: McpMountLease, approvalLifetimeMs: number) {
      mounts = next;
      lifetimeMs = approvalLifetimeMs;
      renew();
    },
    has: (server: string) => mounts?.standings.some(({ name }) => name === server) === true,
    standings: () => mounts?.standings ?? [],
    handle(request: IncomingMessage, response: ServerResponse, servers: Access, exchange: McpExchange) {
      const key = servers === 'all' ? '*' : JSON.stringify([...servers].sort());
      let served = services.get(key);
      if (served === undefined) {
        served = open(servers);
        services.set(key, served);
      }
      const { service } = served;
      exchanges.run(exchange, () => service.listener(request, response));
    },
    report: () => reportServers(mounts),
    drift: (record: ApprovalRecord) => driftOf(record, mounts),
    async close() {
      await Promise.all([...services.values()].map(({ service }) => service.close()));
      services.clear();
    },
  });
}
