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
  return new Record(options);
}

class Record implements CallRecord {
  readonly #options: CallRecordOptions;
  readonly #startedAt: number;
  /** Mostly there is none, as of the next. */
  #losses: Loss[] | undefined = undefined;
  #failures: CandidateFailure[] | undefined = undefined;
  #finish: string | undefined = undefined;
  #firstByteMs: number | undefined = undefined;
  model: string | undefined = undefined;
  route: string | undefined = undefined;
  candidate: string | undefined = undefined;
  attempts = 0;
  streamed = false;
  error: string | undefined = undefined;
  usage: TrafficEntry['usage'] = undefined;
  calls = 0;

  constructor(options: CallRecordOptions) {
    this.#options = options;
    this.#startedAt = options.elapsed();
  }

  see(events: readonly ModelEvent[]): void {
    for (const event of events) {
      if (event.kind === 'response-end') this.#finish = event.finish;
      else if (event.kind === 'response-error') this.error ??= event.code;
    }
  }

  addLosses(losses: readonly Loss[]): void {
    if (losses.length === 0) return;
    // As long as it has to be: an answer that goes on for minutes mostly has one.
    if (this.#losses === undefined) this.#losses = losses.slice(0, MAX_LOSSES);
    else this.#losses.push(...losses.slice(0, MAX_LOSSES - this.#losses.length));
  }

  addFailure(failure: CandidateFailure): void {
    if (this.#failures === undefined) this.#failures = [failure];
    else this.#failures.push(failure);
  }

  firstByte(): void {
    this.#firstByteMs ??= this.#options.elapsed() - this.#startedAt;
  }

  finish(status: number, responseBytes: number): TrafficEntry {
    const { candidate, error, model, route, usage } = this;
    const { at, elapsed, generation, principal, requestBytes, requestId, surface } = this.#options;
    const entry: Draft<TrafficEntry> = {
      id: requestId,
      at,
      surface,
      attempts: this.attempts,
      streamed: this.streamed,
      status,
      losses: Object.freeze(this.#losses ?? []),
      durationMs: elapsed() - this.#startedAt,
      requestBytes,
      responseBytes,
      calls: this.calls,
      generation,
    };
    if (principal !== undefined) {
      entry.principal = principal.id;
      entry.keyId = principal.keyId;
    }
    if (model !== undefined) entry.model = model.slice(0, MAX_MODEL_LENGTH).toWellFormed();
    if (route !== undefined) entry.route = route;
    if (candidate !== undefined) entry.candidate = candidate;
    if (error !== undefined) entry.error = error;
    if (this.#failures !== undefined) entry.failures = Object.freeze(this.#failures);
    if (this.#finish !== undefined) entry.finish = this.#finish;
    if (usage !== undefined) entry.usage = usage;
    if (this.#firstByteMs !== undefined) entry.firstByteMs = this.#firstByteMs;
    return Object.freeze(entry);
  }
}
