import type { Tracer } from '@opentelemetry/api';
import type { Clock } from '@toolgate/core';
import type { Webhook } from '../admin/webhook.ts';
import type { WebhookConfig } from '../config/gateway-config.ts';
import type { ServerStanding } from '../mcp/mount-lease.ts';
import { containedListener } from '../observe/contained-listener.ts';
import { createLog, type GatewayLog } from '../observe/log.ts';
import { createMetrics, type GatewayMetrics } from '../observe/metrics.ts';
import { createRequestWatch, type RequestWatch } from '../observe/request-watch.ts';
import { createTracing } from '../observe/tracing.ts';
import type { CallEntry, CallFilter } from '../ports/call-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { GatewayStores } from '../ports/gateway-stores.ts';
import type { PageRequest } from '../ports/page.ts';
import { createExpiringApprovals } from './expiring-approvals.ts';
import { followApprovals } from './pending-approvals.ts';

/** What a gateway is watched with. */
export interface OperationsOptions {
  readonly stores: GatewayStores;
  readonly clock: Clock;
  /** Takes the lines of the log. */
  readonly log: ((line: string) => void) | undefined;
  readonly tracer: Tracer | undefined;
  readonly processMetrics: boolean;
  readonly webhook: WebhookConfig | undefined;
  /** Number of the configuration that serves. */
  readonly generation: () => number;
  /** How the MCP servers of that one stand. */
  readonly servers: () => readonly ServerStanding[];
  /** Texts that must be in no line of the log. */
  readonly secrets: () => readonly string[];
  readonly onError: ((error: unknown) => void) | undefined;
}

/** Metrics, traces, the log and the webhook of a gateway. */
export interface Operations {
  readonly metrics: GatewayMetrics;
  readonly watch: RequestWatch;
  /** Writes a line, where there is a log. */
  readonly write: GatewayLog['write'];
  /** The stores, with a log of calls that the watch sees. */
  readonly stores: GatewayStores;
  /** Takes what must not happen. */
  readonly onDefect: (error: unknown) => void;
  /** Sends to another address from now on, or to none. */
  useWebhook(config: WebhookConfig | undefined): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts what watches a gateway.
 *
 * @throws What storage throws when the pending approvals cannot be read.
 */
export async function startOperations(options: OperationsOptions): Promise<Operations> {
  const { clock, generation, secrets, stores, tracer } = options;
  const log = options.log === undefined ? undefined : createLog({ sink: options.log, clock, secrets });
  const write: GatewayLog['write'] = (level, event, fields) => log?.write(level, event, fields);
  const onError = containedListener(options.onError);
  const onDefect = (error: unknown): void => {
    write('error', 'defect', describeError(error));
    onError(error);
  };
  let pending = (): number => 0;
  const metrics = createMetrics(
    {
      dropped: () => ({ calls: stores.calls.dropped, traffic: stores.traffic.dropped }),
      generation,
      servers: options.servers,
      pendingApprovals: () => pending(),
    },
    { process: options.processMetrics },
  );
  const tracing = tracer === undefined ? undefined : createTracing(tracer);
  const watch = createRequestWatch({ metrics, tracing, log });
  const openWebhook = async (config: WebhookConfig): Promise<Webhook> => {
    // With a client of HTTP that few gateways need.
    const { startWebhook } = await import('../admin/webhook.ts');
    return startWebhook({
      config,
      approvals: stores.approvals,
      clock,
      onLoss: (reason, { id }, status) => write('warn', 'webhook-loss', { reason, message: id, status }),
    });
  };
  let address = options.webhook;
  // Before the approvals that wait are looked at: what is told of them at once has somewhere to go.
  let webhook = address === undefined ? undefined : await openWebhook(address);
  let closed = false;
  const tellExpiring = async (id: string): Promise<void> => {
    if (webhook === undefined) return;
    const record = await stores.approvals.get(id);
    if (record?.status === 'pending') webhook.tellExpiring(record);
  };
  const expiring = createExpiringApprovals(clock, ({ expiresAt, id }) => {
    write('warn', 'approval-expiring', { approval: id, expiresAt });
    tellExpiring(id).catch((error: unknown) => {
      if (!closed) onDefect(error);
    });
  });
  const followed = await followApprovals(
    stores.approvals,
    (record) => {
      metrics.approval(record);
      expiring.see(record);
    },
    (record) => expiring.see(record),
  ).catch(async (error: unknown) => {
    expiring.close();
    await webhook?.close();
    throw error;
  });
  pending = () => followed.count;

  let changing = Promise.resolve();
  const change = async (config: WebhookConfig | undefined): Promise<void> => {
    if (isSameWebhook(address, config)) return;
    const old = webhook;
    webhook = config === undefined ? undefined : await openWebhook(config);
    address = config;
    await old?.close();
  };

  return Object.freeze({
    metrics,
    watch,
    write,
    stores: Object.freeze({ ...stores, calls: watchedCalls(stores.calls, watch) }),
    onDefect,
    useWebhook(config: WebhookConfig | undefined) {
      const before = changing.catch(() => undefined);
      changing = before.then(() => change(config));
      return changing;
    },
    async close() {
      closed = true;
      followed.close();
      expiring.close();
      await changing.catch(() => undefined);
      await webhook?.close();
    },
  });
}

function watchedCalls(calls: GatewayStores['calls'], watch: RequestWatch): GatewayStores['calls'] {
  return Object.freeze({
    record(entry: CallEntry) {
      calls.record(entry);
      watch.call(entry);
    },
    list: (filter?: CallFilter, page?: PageRequest) => calls.list(filter, page),
    get: (id: string) => calls.get(id),
    get dropped() {
      return calls.dropped;
    },
    flush: () => calls.flush(),
    close: () => calls.close(),
  });
}

function isSameWebhook(one: WebhookConfig | undefined, other: WebhookConfig | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.url.href === other.url.href &&
    one.contents === other.contents &&
    one.secret.reveal() === other.secret.reveal()
  );
}

/** What a log says about an error: never its cause, which may hold anything. */
function describeError(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // The text of a foreign error may quote what it was about.
  return { error: error.name, code, message: GatewayError.is(error) ? error.message : undefined };
}
