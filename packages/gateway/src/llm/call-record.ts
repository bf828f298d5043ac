import type { Loss, ModelEvent } from '@toolgate/model';
import type { Draft } from '../internal/draft.ts';
import type { Principal } from '../ports/principal.ts';
import type { CandidateFailure, Surface, TrafficEntry } from '../ports/traffic-log.ts';

/** What is known about one request when it begins. */
export interface CallRecordOptions {
  readonly requestId: string;
  readonly surface: Surface;
  readonly principal: Principal | undefined;
  readonly generation: number;
  readonly requestBytes: number;
  /** Wall clock, milliseconds since the epoch. */
  readonly at: number;
  /** A clock that is never set. */
  readonly elapsed: () => number;
}

/** Gathers what the traffic log says about one request. */
export interface CallRecord {
  model: string | undefined;
  route: string | undefined;
  candidate: string | undefined;
  attempts: number;
  streamed: boolean;
  error: string | undefined;
  usage: TrafficEntry['usage'];
  calls: number;
  /** Notes what an answer says about its end. */
  see(events: readonly ModelEvent[]): void;
  addLosses(losses: readonly Loss[]): void;
  /** A candidate gave no answer. */
  addFailure(failure: CandidateFailure): void;
  firstByte(): void;
  finish(status: number, responseBytes: number): TrafficEntry;
}

const MAX_MODEL_LENGTH = 256;
const MAX_LOSSES = 200;

/** Begins the record of a request. */
export function createCallRecord(options: CallRecordOptions): CallRecord {
  const { elapsed, principal } = options;
  const startedAt = elapsed();
  const losses: Loss[] = [];
  /** Mostly there is none. */
  let failures: CandidateFailure[] | undefined;
  let finish: string | undefined;
  let firstByteMs: number | undefined;

  const record: CallRecord = {
    model: undefined,
    route: undefined,
    candidate: undefined,
    attempts: 0,
    streamed: false,
    error: undefined,
    usage: undefined,
    calls: 0,
    see(events) {
      for (const event of events) {
        if (event.kind === 'response-end') finish = event.finish;
        else if (event.kind === 'response-error') record.error ??= event.code;
      }
    },
    addLosses(more) {
      for (const loss of more) if (losses.length < MAX_LOSSES) losses.push(loss);
    },
    addFailure(failure) {
      if (failures === undefined) failures = [failure];
      else failures.push(failure);
    },
    firstByte() {
      firstByteMs ??= elapsed() - startedAt;
    },
    finish(status, responseBytes) {
      const { candidate, error, model, route, usage } = record;
      const entry: Draft<TrafficEntry> = {
        id: options.requestId,
        at: options.at,
        surface: options.surface,
        attempts: record.attempts,
        streamed: record.streamed,
        status,
        losses: Object.freeze(losses),
        durationMs: elapsed() - startedAt,
        requestBytes: options.requestBytes,
        responseBytes,
        calls: record.calls,
        generation: options.generation,
      };
      if (principal !== undefined) {
        entry.principal = principal.id;
        entry.keyId = principal.keyId;
      }
      if (model !== undefined) entry.model = model.slice(0, MAX_MODEL_LENGTH).toWellFormed();
      if (route !== undefined) entry.route = route;
      if (candidate !== undefined) entry.candidate = candidate;
      if (error !== undefined) entry.error = error;
      if (failures !== undefined) entry.failures = Object.freeze(failures);
      if (finish !== undefined) entry.finish = finish;
      if (usage !== undefined) entry.usage = usage;
      if (firstByteMs !== undefined) entry.firstByteMs = firstByteMs;
      return Object.freeze(entry);
    },
  };
  return record;
}
