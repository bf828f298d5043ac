import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DoorAnswer } from '../http/door.ts';
import { SERVER_STATES, type ServerStanding } from '../mcp/mount-lease.ts';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import type { CallEntry } from '../ports/call-log.ts';
import type { Surface, TrafficEntry } from '../ports/traffic-log.ts';
import { createSamples, createSums, type Tally } from './tally.ts';

/** What is asked for when somebody reads the metrics. */
export interface MetricsSources {
  /** Entries of the call log and of the traffic log that were dropped. */
  readonly dropped: () => { readonly calls: number; readonly traffic: number };
  /** Number of the configuration that serves. */
  readonly generation: () => number;
  /** Approvals that wait for a decision. */
  readonly pendingApprovals: () => number;
  /** How the MCP servers of the configuration stand. */
  readonly servers: () => readonly ServerStanding[];
}

/** Settings of {@link createMetrics}. */
export interface MetricsOptions {
  /** Also metrics of the process: memory, event loop, garbage collection. Default `true`. */
  readonly process?: boolean;
}

/**
 * Counters in the Prometheus text format. Labels come from closed lists and from the configuration, never from a
 * client: a stranger cannot make the number of series grow.
 */
export interface GatewayMetrics {
  requestStarted(surface: Surface): void;
  /** Each started request ends once. */
  requestEnded(entry: TrafficEntry): void;
  call(entry: CallEntry): void;
  /** A request was answered at a door: refused, or administrative. */
  door(answer: DoorAnswer): void;
  /** After each change of an approval. */
  approval(record: ApprovalRecord): void;
  /** After each reload of the configuration. */
  reload(result: 'applied' | 'refused'): void;
  /** `Content-Type` of {@link text}. */
  readonly contentType: string;
  text(): Promise<string>;
}

/** From a cache hit nearby to a model that thinks for minutes. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Makes the metrics of one gateway, in a registry of its own. */
export function createMetrics(sources: MetricsSources, options: MetricsOptions = {}): GatewayMetrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process ?? true) collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'toolgate_requests_total',
    help: 'Requests that ended, by surface, route and HTTP status.',
    labelNames: ['surface', 'route', 'status'] as const,
    registers,
  });
  const inFlight = new Map<Surface, number>();
  new Gauge({
    name: 'toolgate_requests_in_flight',
    help: 'Requests that have not ended.',
    labelNames: ['surface'] as const,
    registers,
    collect() {
      for (const [surface, count] of inFlight) this.set({ surface }, count);
    },
  });
  const duration = new Histogram({
    name: 'toolgate_request_duration_seconds',
    help: 'Time from the start of a request to its end.',
    labelNames: ['surface', 'route'] as const,
    buckets: SECONDS,
    registers,
  });
  const firstByte = new Histogram({
    name: 'toolgate_first_byte_seconds',
    help: 'Time from the start of a request to the first byte of its answer.',
    labelNames: ['surface', 'route'] as const,
    buckets: SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'toolgate_request_errors_total',
    help: 'Requests that went wrong, by our code.',
    labelNames: ['surface', 'code'] as const,
    registers,
  });
  const failovers = new Counter({
    name: 'toolgate_failovers_total',
    help: 'Candidates that were tried after the first one.',
    labelNames: ['route'] as const,
    registers,
  });
  const failures = new Counter({
    name: 'toolgate_candidate_failures_total',
    help: 'Candidates that gave no answer, by our code.',
    labelNames: ['route', 'candidate', 'code'] as const,
    registers,
  });
  const tokens = new Counter({
    name: 'toolgate_tokens_total',
    help: 'Tokens as counted by providers; what they did not count is not here.',
    labelNames: ['route', 'direction'] as const,
    registers,
  });
  const losses = new Counter({
    name: 'toolgate_losses_total',
    help: 'Fields that a translation could not carry.',
    labelNames: ['code'] as const,
    registers,
  });
  const calls = new Counter({
    name: 'toolgate_tool_calls_total',
    help: 'Tool calls, by door, verdict and reason.',
    labelNames: ['origin', 'verdict', 'reason'] as const,
    registers,
  });
  const approvals = new Counter({
    name: 'toolgate_approval_changes_total',
    help: 'Changes of approvals, by the status they led to.',
    labelNames: ['status'] as const,
    registers,
  });
  new Gauge({
    name: 'toolgate_approvals_pending',
    help: 'Approvals that wait for a decision.',
    registers,
    collect() {
      this.set(sources.pendingApprovals());
    },
  });
  new Gauge({
    name: 'toolgate_log_entries_dropped',
    help: 'Entries of the call and traffic logs that were dropped because too many waited.',
    labelNames: ['log'] as const,
    registers,
    collect() {
      const dropped = sources.dropped();
      this.set({ log: 'calls' }, dropped.calls);
      this.set({ log: 'traffic' }, dropped.traffic);
    },
  });
  new Gauge({
    name: 'toolgate_mcp_server_state',
    help: 'State of each mounted MCP server: 1 for the one that it is in.',
    labelNames: ['server', 'state'] as const,
    registers,
    collect() {
      this.reset();
      for (const { name, state } of sources.servers())
        for (const each of SERVER_STATES) this.set({ server: name, state: each }, each === state ? 1 : 0);
    },
  });
  new Gauge({
    name: 'toolgate_config_generation',
    help: 'Number of the configuration that serves.',
    registers,
    collect() {
      this.set(sources.generation());
    },
  });
  const reloads = new Counter({
    name: 'toolgate_config_reloads_total',
    help: 'Reloads of the configuration; one that is refused leaves the last good one serving.',
    labelNames: ['result'] as const,
    registers,
  });
  // Whoever counts the refused ones sees the first one as an increase.
  for (const result of ['applied', 'refused'] as const) reloads.inc({ result }, 0);

  // What every request adds to; the rest is counted at once.
  const ended = createSums<RequestLabels>((labels, sum) => requests.inc(labels, sum));
  const durations = createSamples<TimeLabels>((labels, seconds) => duration.observe(labels, seconds));
  const firstBytes = createSamples<TimeLabels>((labels, seconds) => firstByte.observe(labels, seconds));
  const counted = createSums<TokenLabels>((labels, sum) => tokens.inc(labels, sum));
  const lost = createSums<{ readonly code: string }>((labels, sum) => losses.inc(labels, sum));
  const judged = createSums<CallLabels>((labels, sum) => calls.inc(labels, sum));
  const tallies = [ended, durations, firstBytes, counted, lost, judged];
  const countStarted = (surface: Surface, by: 1 | -1): void => {
    inFlight.set(surface, (inFlight.get(surface) ?? 0) + by);
  };

  return Object.freeze({
    contentType: registry.contentType,
    text: () => {
      for (const tally of tallies) tally.flush();
      return registry.metrics();
    },
    requestStarted: (surface: Surface) => countStarted(surface, 1),
    requestEnded(entry: TrafficEntry) {
      const { firstByteMs, route = 'none', status, surface, usage } = entry;
      countStarted(surface, -1);
      ended.add(`${surface} ${status} ${route}`, { surface, route, status }, 1);
      const key = `${surface} ${route}`;
      durations.add(key, { surface, route }, entry.durationMs / 1_000);
      if (firstByteMs !== undefined) firstBytes.add(key, { surface, route }, firstByteMs / 1_000);
      if (entry.error !== undefined) errors.inc({ surface, code: entry.error });
      const { failures: failed = [] } = entry;
      // The last one to fail need not have had another one after it, and a candidate may be asked for more than one turn.
      const others = Math.min(entry.attempts - 1, failed.length);
      if (others > 0) failovers.inc({ route }, others);
      for (const { candidate, error } of failed) failures.inc({ route, candidate, code: error });
      countTokens(counted, route, 'input', usage?.inputTotal);
      countTokens(counted, route, 'output', usage?.outputTotal);
      for (const { code } of entry.losses) lost.add(code, { code }, 1);
    },
    call: ({ origin, verdict, reason }: CallEntry) =>
      judged.add(`${origin} ${verdict} ${reason}`, { origin, verdict, reason }, 1),
    door({ durationMs, operation = 'none', refusal, status, ...answer }: DoorAnswer) {
      const surface = answer.surface ?? 'none';
      requests.inc({ surface, route: operation, status });
      duration.observe({ surface, route: operation }, durationMs / 1_000);
      if (refusal !== undefined) errors.inc({ surface, code: refusal.code });
    },
    approval: ({ status }: ApprovalRecord) => approvals.inc({ status }),
    reload: (result: 'applied' | 'refused') => reloads.inc({ result }),
  });
}

type TimeLabels = Pick<TrafficEntry, 'surface'> & { readonly route: string };
type RequestLabels = TimeLabels & Pick<TrafficEntry, 'status'>;
type TokenLabels = { readonly route: string; readonly direction: 'input' | 'output' };
type CallLabels = Pick<CallEntry, 'origin' | 'reason' | 'verdict'>;

function countTokens(
  tally: Tally<TokenLabels>,
  route: string,
  direction: 'input' | 'output',
  count: number | null | undefined,
): void {
  // A provider's number: one that is none must not break the counter.
  if (typeof count === 'number' && Number.isFinite(count) && count > 0)
    tally.add(`${direction} ${route}`, { route, direction }, count);
}
