import type { Authorizer, Clock } from '@toolgate/core';
import type { TurnWrites } from '../http/turn-writes.ts';
import type { RequestWatch } from '../observe/request-watch.ts';
import type { GatewayStores } from '../ports/gateway-stores.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import type { AuditGuard } from './firewall/audit-guard.ts';
import type { Caller } from './firewall/caller.ts';
import type { ContractCache } from './firewall/contract-cache.ts';
import type { Continuations } from './request/continuations.ts';

/** What all model calls of a gateway share, whatever the configuration. */
export interface LlmServices {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly stores: GatewayStores;
  readonly audit: AuditGuard;
  readonly contracts: ContractCache;
  readonly continuations: Continuations;
  /** The application's own authorizer for calls that models propose. */
  readonly authorize: Authorizer<Caller> | undefined;
  /** Where answers wait for the end of a turn. */
  readonly turns: TurnWrites;
  /** Metrics and traces. */
  readonly watch: RequestWatch;
  /** Learns of each request when it is over. */
  readonly onTraffic: (entry: TrafficEntry) => void;
  /** Learns of what must not happen. */
  readonly onDefect: (error: unknown) => void;
}

/** What of a configuration model calls need besides routes. */
export interface LlmSettings {
  /** Whether argument texts are kept in the call log. */
  readonly contents: boolean;
  readonly auditAllowed: boolean;
  readonly keepAliveMs: number;
  readonly stuckMs: number;
}
