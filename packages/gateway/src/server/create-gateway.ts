import type { ServerResponse } from 'node:http';
import type { Tracer } from '@opentelemetry/api';
import { type Authorizer, type Clock, ignoreThrown, type PatternEngine, systemClock } from '@toolgate/core';
import { linearPatterns } from '@toolgate/mcp/linear-patterns';
import { registerAdminRoutes } from '../admin/admin-routes.ts';
import { registerOperationsRoutes } from '../admin/operations-routes.ts';
import { withFourEyes } from '../approvals/with-four-eyes.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { ReloadResult } from '../config/generations.ts';
import { unconfiguredNames } from '../config/unconfigured-names.ts';
import { createAdmissions } from '../http/admission.ts';
import { createHostRules } from '../http/host-rules.ts';
import { createHttpServer } from '../http/http-server.ts';
import { refuse } from '../http/refusal.ts';
import { createTurnWrites } from '../http/turn-writes.ts';
import { createCallsInFlight } from '../llm/calls-in-flight.ts';
import { createAuditGuard } from '../llm/firewall/audit-guard.ts';
import type { Caller } from '../llm/firewall/caller.ts';
import { createContractCache } from '../llm/firewall/contract-cache.ts';
import { registerLlmRoutes } from '../llm/llm-routes.ts';
import { createContinuations } from '../llm/request/continuations.ts';
import { createLazyMcpSurface } from '../mcp/lazy-mcp-surface.ts';
import { registerMcpRoutes } from '../mcp/mcp-routes.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import { createOrderedIds } from '../storage/ordered-ids.ts';
import { secretsOfConfig } from './config-secrets.ts';
import { startConfigurations } from './configurations.ts';
import { doorTraffic } from './door-traffic.ts';
import type { OpenStores } from './open-stores.ts';
import { startOperations } from './operations.ts';
import { tellStanding } from './tell-standing.ts';

/** What a gateway is made of. */
export interface GatewayOptions {
  readonly config: GatewayConfig;
  /** Owned by the caller, who closes them after the gateway. */
  readonly stores: OpenStores;
  /** Reads the configuration again, for {@link Gateway.reload} and the admin API. */
  readonly source?: () => Promise<GatewayConfig>;
  /** Asked about every call that a model or an MCP client proposes, after its schema and before an approval. */
  readonly authorize?: Authorizer<Caller>;
  /** Runs patterns of clients' schemas that are not proved to be linear. Default: RE2. */
  readonly patternEngine?: PatternEngine;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: UUIDs that begin with the time, so that rows of the logs come in order. */
  readonly newId?: () => string;
  /** Silence of a stream after which a comment is sent. Default 15,000. */
  readonly keepAliveMs?: number;
  /** How long a client may take nothing of its answer. Default 300,000. */
  readonly stuckMs?: number;
  /** How long a configuration waits for its MCP servers; those that are not there by then come later. Default 2,000. */
  readonly mountPatienceMs?: number;
  /** Takes the lines of the log, each one JSON object with its line feed. Default: nothing is logged. */
  readonly log?: (line: string) => void;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer;
  /** Whether `/metrics` also shows the process: memory, event loop, garbage collection. Default `true`. */
  readonly processMetrics?: boolean;
  /** Learns of each request when it is over. */
  readonly onTraffic?: (entry: TrafficEntry) => void;
  /** Learns of what must not happen. */
  readonly onError?: (error: unknown) => void;
}

/** A gateway that was built. */
export interface Gateway {
  /** @returns Its address, such as `http://127.0.0.1:8787`. */
  listen(): Promise<string>;
  /**
   * Swaps in another configuration; where it listens stays. A bad one leaves the last good one.
   *
   * @param config - Default: what `source` reads.
   * @throws GatewayError `gateway/config-unreadable` when neither is there.
   */
  reload(config?: GatewayConfig): Promise<ReloadResult>;
  /** Takes no more requests, lets those in flight end for at most `graceMs`, then ends them. Default 10,000. */
  close(graceMs?: number): Promise<void>;
}

const DEFAULT_KEEP_ALIVE_MS = 15_000;
const DEFAULT_STUCK_MS = 300_000;
const DEFAULT_MOUNT_PATIENCE_MS = 2_000;
const DEFAULT_GRACE_MS = 10_000;

/**
 * Builds a gateway that does not listen yet.
 *
 * @throws GatewayError `gateway/config-invalid`, `gateway/storage-unavailable`; nothing is left running then.
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, clock = systemClock, patternEngine = linearPatterns } = options;
  const { newId = createOrderedIds({ now: clock.now }) } = options;
  const { keepAliveMs = DEFAULT_KEEP_ALIVE_MS, stuckMs = DEFAULT_STUCK_MS } = options;
  const { limits, listen } = config;
  let secrets = secretsOfConfig(config);
  const operations = await startOperations({
    stores: options.stores,
    clock,
    log: options.log,
    tracer: options.tracer,
    processMetrics: options.processMetrics ?? true,
    webhook: config.approvals.webhook,
    generation: () => configurations?.generations.current.number ?? 0,
    servers: () => surface.standings(),
    secrets: () => secrets,
    onError: options.onError,
  });
  const { onDefect, watch } = operations;
  const approvals = withFourEyes(operations.stores.approvals, {
    holds: () => (configurations?.generations.current.content.config ?? config).approvals.fourEyes,
    audit: operations.stores.audit,
  });
  const stores = { ...operations.stores, approvals };
  const audit = createAuditGuard(stores.audit, onDefect);
  const tellProgram = (entry: TrafficEntry): void => {
    try {
      ignoreThrown(options.onTraffic?.(entry));
    } catch (error) {
      // It must not keep an answer from its end.
      onDefect(error);
    }
  };
  const surface = createLazyMcpSurface({
    clock,
    newId,
    stores,
    audit,
    authorize: options.authorize,
    bodyBytes: limits.bodyBytes,
    requestMs: limits.requestMs,
    keepAliveMs,
    mountPatienceMs: options.mountPatienceMs ?? DEFAULT_MOUNT_PATIENCE_MS,
    onMountEvent: (event) => {
      if (event.kind !== 'problem') return;
      const { code, message } = event.problem;
      operations.write('warn', 'mcp-problem', { server: event.server, code, message });
    },
    onStanding: (standing) => tellStanding(operations.write, standing),
    onDefect,
  });
  let configurations: Awaited<ReturnType<typeof startConfigurations>> | undefined;
  try {
    configurations = await startConfigurations({
      config,
      source: options.source,
      onSecrets: (known) => {
        secrets = known;
      },
      operations,
      surface,
      content: { clock, stored: options.stores.keys, keepAliveMs, stuckMs },
    });
  } catch (error) {
    await operations.close();
    throw error;
  }
  const { generations, reload } = configurations;
  const server = createHttpServer({
    clock,
    newId,
    bodyBytes: limits.bodyBytes,
    headerBytes: limits.headerBytes,
    requestMs: limits.requestMs,
    hostRules: createHostRules(listen),
    onDefect,
    onDoorAnswer(answer) {
      operations.metrics.door(answer);
      const entry = doorTraffic(answer, clock.now(), generations.current.number);
      if (entry === undefined) return;
      stores.traffic.record(entry);
      watch.told(entry);
      tellProgram(entry);
    },
  });
  const running = createCallsInFlight();
  const endless = new Set<ServerResponse>();
  const onTraffic = (entry: TrafficEntry): void => {
    watch.ended(entry);
    tellProgram(entry);
  };
  const guard = {
    lease: () => generations.lease(),
    admissions: createAdmissions(clock, () => generations.current.content.config.limits.concurrency),
  };
  await registerLlmRoutes(server.app, {
    bodyBytes: limits.bodyBytes,
    ...guard,
    running,
    services: {
      clock,
      newId,
      turns: createTurnWrites(),
      stores,
      audit,
      contracts: createContractCache({ patternEngine }),
      continuations: createContinuations({ clock }),
      authorize: options.authorize,
      watch,
      onTraffic,
      onDefect,
    },
  });
  await registerMcpRoutes(server.app, {
    ...guard,
    surface,
    clock,
    watch,
    endless,
    onTraffic(entry) {
      stores.traffic.record(entry);
      onTraffic(entry);
    },
  });
  const draining = (): boolean => server.draining;
  await registerOperationsRoutes(server.app, {
    clock,
    metrics: operations.metrics,
    draining,
    stuckMs,
    ping: () => stores.ping(),
  });
  await registerAdminRoutes(server.app, {
    ...guard,
    endless,
    onDefect,
    stuckMs,
    services: {
      stores,
      clock,
      keys: () => generations.current.content.keys,
      unconfigured: (grants) => unconfiguredNames(grants, generations.current.content.config),
      generation: () => generations.current.number,
      draining,
      reload: options.source === undefined ? undefined : (by) => reload(undefined, by),
      lastReload: configurations.lastReload,
      tools: () => surface.report(),
      servers: () => surface.standings(),
      drift: (record) => surface.drift(record),
    },
  });
  let closing: Promise<void> | undefined;

  return Object.freeze({
    async listen() {
      const port = await server.listen(listen.host, listen.port);
      const url = `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${port}`;
      operations.write('info', 'gateway-start', { url });
      return url;
    },
    reload: (given?: GatewayConfig) => reload(given, 'system'),
    async close(graceMs = DEFAULT_GRACE_MS) {
      const drained = server.close(graceMs, () => running.failAll(refuse('draining')));
      for (const response of endless) response.destroy();
      await drained;
      closing ??= (async () => {
        await surface.close();
        await configurations.close();
        await operations.close();
      })();
      await closing;
    },
  });
}
