import type { ModelEvent, Usage } from '@toolgate/model';
import type { CallEntry } from '../ports/call-log.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import type { GatewayLog } from './log.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { AttemptEnd, RequestTrace, TracedAttempt, TracedRequest, Tracing } from './tracing.ts';

/** Watches one exchange with a provider. */
export interface AttemptWatch {
  /** Notes what an answer says about itself. */
  see(events: readonly ModelEvent[]): void;
  /** @param error - Our code, where the exchange failed. Only the first call counts. */
  end(error?: string): void;
}

/** Everything that metrics, traces and the log learn about requests. Nothing that it does can fail a request. */
export interface RequestWatch {
  /** A request was let in. Each ends once, with {@link RequestWatch.ended}. */
  started(request: TracedRequest): void;
  attempt(requestId: string, attempt: TracedAttempt): AttemptWatch;
  call(entry: CallEntry): void;
  ended(entry: TrafficEntry): void;
  /** One that was answered at a door: it is only logged. */
  told(entry: TrafficEntry): void;
}

/** What a watch tells. */
export interface RequestWatchOptions {
  readonly metrics: GatewayMetrics;
  /** Absent: nothing is traced, at no cost. */
  readonly tracing: Tracing | undefined;
  readonly log: GatewayLog | undefined;
}

interface Watched {
  readonly trace: RequestTrace;
  readonly attempts: AttemptWatch[];
}

const UNWATCHED: AttemptWatch = Object.freeze({ see: () => undefined, end: () => undefined });

/** Makes the watch of a gateway. */
export function createRequestWatch({ log, metrics, tracing }: RequestWatchOptions): RequestWatch {
  const traces = new Map<string, Watched>();
  const tell = (entry: TrafficEntry): void => {
    log?.write(entry.status >= 500 ? 'warn' : 'info', 'request', {
      id: entry.id,
      surface: entry.surface,
      route: entry.route,
      candidate: entry.candidate,
      principal: entry.principal,
      status: entry.status,
      error: entry.error,
      failures: entry.failures?.map(({ candidate, error }) => ({ candidate, error })),
      durationMs: Math.round(entry.durationMs),
      calls: entry.calls,
      losses: entry.losses.length,
    });
  };
  return Object.freeze({
    started(request: TracedRequest) {
      metrics.requestStarted(request.surface);
      if (tracing !== undefined) traces.set(request.id, { trace: tracing.start(request), attempts: [] });
    },
    attempt(requestId: string, attempt: TracedAttempt) {
      const watched = traces.get(requestId);
      if (watched === undefined) return UNWATCHED;
      const own = watchAttempt(watched.trace.attempt(attempt));
      watched.attempts.push(own);
      return own;
    },
    told: tell,
    call(entry: CallEntry) {
      metrics.call(entry);
      traces.get(entry.requestId)?.trace.call(entry);
    },
    ended(entry: TrafficEntry) {
      metrics.requestEnded(entry);
      const watched = traces.get(entry.id);
      if (watched !== undefined) {
        traces.delete(entry.id);
        // One that was broken off says nothing more.
        for (const attempt of watched.attempts) attempt.end();
        watched.trace.end(entry);
      }
      tell(entry);
    },
  });
}

function watchAttempt(end: (facts: AttemptEnd) => void): AttemptWatch {
  let model: string | null | undefined;
  let responseId: string | null | undefined;
  let usage: Usage | null | undefined;
  let finish: string | undefined;
  let failed: string | undefined;
  let over = false;
  return {
    see(events) {
      for (const event of events) {
        if (event.kind === 'response-start') {
          model = event.model;
          responseId = event.id;
        } else if (event.kind === 'usage') usage = event.usage;
        else if (event.kind === 'response-end') finish = event.finish;
        else if (event.kind === 'response-error') failed ??= event.code;
      }
    },
    end(error) {
      if (over) return;
      over = true;
      const code = error ?? failed;
      end({
        ...(model === undefined ? {} : { model }),
        ...(responseId === undefined ? {} : { responseId }),
        ...(usage === undefined ? {} : { usage }),
        ...(finish === undefined ? {} : { finish }),
        ...(code === undefined ? {} : { error: code }),
      });
    },
  };
}
