import { randomUUID } from 'node:crypto';
import { type Authorizer, type Clock, type PatternEngine, systemClock } from '@toolgate/core';
import { createGenerations } from '../config/create-generations.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { ReloadResult } from '../config/generations.ts';
import { createAdmissions } from '../http/admission.ts';
import { createHostRules } from '../http/host-rules.ts';
import { createHttpServer } from '../http/http-server.ts';
import { refuse } from '../http/refusal.ts';
import { createAuditGuard } from '../llm/firewall/audit-guard.ts';
import type { Caller } from '../llm/firewall/caller.ts';
import { createContractCache } from '../llm/firewall/contract-cache.ts';
import { registerLlmRoutes } from '../llm/llm-routes.ts';
import { createContinuations } from '../llm/request/continuations.ts';
import type { RunningCall } from '../llm/run-call.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import { buildGatewayContent, retireGatewayContent } from './gateway-content.ts';

import type { OpenStores } from './open-stores.ts';

/** What a gateway is made of. */
export interface GatewayOptions {
  readonly config: GatewayConfig;
  /** Owned by the caller, who closes them after the gateway. */
  readonly stores: OpenStores;
  /** Asked about every call that a model proposes, after its schema and before an approval. */
  readonly authorize?: Authorizer<Caller>;
  /** Runs patterns of clients' schemas that are not proved to be linear. */
  readonly patternEngine?: PatternEngine;
  readonly clock?: Clock;
  /** Default: random UUIDs. */
  readonly newId?: () => string;
  /** Silence of a stream after which a comment is sent. Default 15,000. */
  readonly keepAliveMs?: number;
  /** How long a client may take nothing of its answer. Default 300,000. */
  readonly stuckMs?: number;
  /** Learns of each request when it is over. */
  readonly onTraffic?: (entry: TrafficEntry) => void;
  /** Learns of what must not happen. */
  readonly onError?: (error: unknown) => void;
}

/** A gateway that was built. */
export interface Gateway {
  /** @returns Its address, such as `http://127.0.0.1:8787`. */
  listen(): Promise<string>;
  /** Swaps in another configuration; where it listens stays. A bad one leaves the last good one. */
  reload(config: GatewayConfig): Promise<ReloadResult>;
  /** Takes no more requests, lets those in flight end for at most `graceMs`, then ends them. Default 10,000. */
  close(graceMs?: number): Promise<void>;
}

const DEFAULT_KEEP_ALIVE_MS = 15_000;
const DEFAULT_STUCK_MS = 300_000;
const DEFAULT_GRACE_MS = 10_000;

/** Builds a gateway that does not listen yet. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, stores, clock = systemClock, newId = randomUUID, patternEngine } = options;
  const onDefect = options.onError ?? ((): void => undefined);
  const generations = await createGenerations(config, {
    build: async (source: GatewayConfig) =>
      buildGatewayContent(source, {
        clock,
        stored: stores.keys,
        keepAliveMs: options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS,
        stuckMs: options.stuckMs ?? DEFAULT_STUCK_MS,
      }),
    retire: retireGatewayContent,
    onError: onDefect,
  });
  const { limits, listen } = config;
  const server = createHttpServer({
    clock,
    newId,
    bodyBytes: limits.bodyBytes,
    headerBytes: limits.headerBytes,
    requestMs: limits.requestMs,
    hostRules: createHostRules(listen),
    onDefect,
  });
  const running = new Set<RunningCall>();
  await registerLlmRoutes(server.app, {
    lease: () => generations.lease(),
    admissions: createAdmissions(clock, () => generations.current.content.config.limits.concurrency),
    running,
    services: {
      clock,
      newId,
      stores,
      audit: createAuditGuard(stores.audit, onDefect),
      contracts: createContractCache(patternEngine === undefined ? {} : { patternEngine }),
      continuations: createContinuations({ clock }),
      authorize: options.authorize,
      onTraffic: options.onTraffic ?? (() => undefined),
      onDefect,
    },
  });

  return Object.freeze({
    async listen() {
      const port = await server.listen(listen.host, listen.port);
      return `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${port}`;
    },
    reload: (source: GatewayConfig) => generations.reload(source),
    async close(graceMs = DEFAULT_GRACE_MS) {
      await server.close(graceMs, () => {
        for (const call of running) call.fail(refuse('draining'));
      });
      await generations.close();
    },
  });
}
