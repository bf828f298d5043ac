import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerRestorer, ModelEvent } from '@toolgate/model';
import type { AttemptWatch } from '../../observe/request-watch.ts';
import { invalidAnswer } from '../../upstream/connection-failure.ts';
import type { Exchange, ExchangeHandler, SentRequest } from '../../upstream/exchange.ts';
import { reportedFailure } from '../../upstream/reported-failure.ts';
import { MAX_ERROR_BYTES, statusFailure } from '../../upstream/status-failure.ts';
import type { UpstreamFailure } from '../../upstream/upstream-failure.ts';
import type { PreparedRequest } from '../request/prepared-request.ts';
import type { Candidate } from '../routes/route-table.ts';
import { type AnswerReader, createStreamReader, createWholeReader } from './answer-reader.ts';
import type { AnswerStep } from './answer-step.ts';
import { type AnswerForm, createBelievedReader } from './believed-reader.ts';
import { createOpening, type Opening } from './opening.ts';

/** Receives one provider's answer. */
export interface AttemptHandler {
  /** The next piece. The first one proves that there is an answer; a failure after it is a `response-error` event. */
  step(step: AnswerStep): void;
  /** An answer has opened, and what it opened with is kept back. */
  opened(): void;
  /** There is no answer, and no step came. */
  failed(failure: UpstreamFailure): void;
  /** Whether more of the answer is kept back than one may have, and nothing more is taken. */
  isFull(): boolean;
  /** Everything that came together was handed on; for backpressure. */
  settled(): void;
}

/** What an attempt is made of. */
export interface AttemptOptions {
  readonly candidate: Candidate;
  readonly request: PreparedRequest;
  /** Whether the client wants a stream. */
  readonly stream: boolean;
  /** Whether what the answer opens with is kept back until it says something, because another candidate could answer. */
  readonly keepsOpening: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly watch: AttemptWatch;
}

/** Asks one candidate once. Ending the exchange ends everything. */
export function startAttempt(options: AttemptOptions, handler: AttemptHandler): Exchange {
  const { candidate, request } = options;
  const attempt = new Attempt(options, handler);
  const exchange = candidate.provider.send(
    { method: 'POST', path: request.path, body: request.body, headers: request.headers },
    attempt,
  );
  attempt.exchange = exchange;
  return exchange;
}

/** Keeps nothing of its request, which may be longer than the answer. */
class Attempt implements ExchangeHandler {
  /** As soon as there is one. */
  exchange: SentRequest | undefined = undefined;
  readonly #candidate: Candidate;
  readonly #sameProtocol: boolean;
  readonly #stream: boolean;
  readonly #now: () => number;
  readonly #watch: AttemptWatch;
  readonly #handler: AttemptHandler;
  readonly #restorer: AnswerRestorer | undefined;
  #opening: Opening | undefined;
  #begun = false;
  #reader: AnswerReader | undefined = undefined;
  #over = false;

  constructor(options: AttemptOptions, handler: AttemptHandler) {
    const { candidate, keepsOpening, now, request, stream, watch } = options;
    this.#candidate = candidate;
    this.#sameProtocol = request.sameProtocol;
    this.#stream = stream;
    this.#now = now;
    this.#watch = watch;
    this.#handler = handler;
    this.#restorer = request.createRestorer?.();
    this.#opening = keepsOpening ? createOpening() : undefined;
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    this.#reader = isSuccess(status)
      ? readerOf(headers['content-type'] ?? '', this.#stream, (form) => this.#read(form))
      : this.#readFailure(status, headers);
  }

  data(chunk: Buffer): void {
    if (this.#over) return;
    const verdict = this.#reader?.push(chunk);
    if (verdict === 'stop' || this.#handler.isFull()) {
      this.exchange?.abort();
      this.#reader?.end();
      this.fail(invalidAnswer());
    }
    this.exchange?.expectEnd(this.#reader?.ending?.() ?? 'no');
    this.#handler.settled();
  }

  end(): void {
    if (this.#over) return;
    this.#reader?.end();
    // An answer without a single event is none.
    if (!this.#begun) this.fail(invalidAnswer());
    this.#watch.end();
    this.#handler.settled();
  }

  fail(failure: UpstreamFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.#watch.end(failure.refusal.code);
    if (!this.#begun) this.#handler.failed(this.#opening?.begun === true ? brokenOpening(failure) : failure);
    else this.#handler.step({ events: [...(this.#restorer?.release() ?? []), brokenEvent(failure)] });
  }

  #read(form: AnswerForm): AnswerReader {
    const passes = this.#sameProtocol && this.#restorer === undefined;
    const raw = passes && (form === 'stream') === this.#stream;
    const create = form === 'stream' ? createStreamReader : createWholeReader;
    return create(this.#candidate.codec, raw, (step) => this.#take(step));
  }

  #readFailure(status: number, headers: IncomingHttpHeaders): AnswerReader {
    const secrets = this.#candidate.provider.secrets();
    return createErrorReader((body) =>
      this.fail(statusFailure({ status, headers, body, secrets, now: this.#now() })),
    );
  }

  #take(read: AnswerStep): void {
    if (this.#over) return;
    const step = this.#restorer === undefined ? read : restored(read, this.#restorer);
    if (!this.#begun && step.events.length > 0) {
      const error = failureAtOnce(step.events);
      if (error !== undefined) {
        this.exchange?.abort();
        const reported = error.code === 'model/provider-error';
        this.fail(reported ? reportedFailure(error.providerCode) : invalidAnswer());
        return;
      }
    }
    this.#watch.see(read.events);
    if (!this.#begun && this.#isKept(step)) return;
    const ended = hasFailure(step.events);
    if (ended) this.#watch.end();
    this.#handler.step(step);
    // Nothing that comes after a failure is part of the answer.
    if (ended) {
      this.#over = true;
      this.exchange?.abort();
    }
  }

  /** Keeps a step of the opening back, or gives out what was kept before it. */
  #isKept(step: AnswerStep): boolean {
    const opening = this.#opening;
    if (opening?.keep(step) === true) {
      if (step.events.length > 0) this.#handler.opened();
      return true;
    }
    this.#begun = step.events.length > 0 || opening?.begun === true;
    const kept = opening?.release() ?? [];
    this.#opening = undefined;
    for (const earlier of kept) this.#handler.step(earlier);
    return false;
  }
}

/** A connection that breaks behind the opening of an answer was no idle one. */
function brokenOpening(failure: UpstreamFailure): UpstreamFailure {
  return failure.kind === 'reset' ? { ...failure, kind: 'invalid' } : failure;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function readerOf(
  contentType: string,
  stream: boolean,
  create: (form: AnswerForm) => AnswerReader,
): AnswerReader {
  const type = mediaType(contentType);
  const said = type === 'text/event-stream' || (type === '' && stream) ? 'stream' : 'whole';
  return createBelievedReader(said, create);
}

function mediaType(header: string): string {
  // Nothing is made of what nearly all answers say.
  if (header === 'application/json' || header === 'text/event-stream') return header;
  return header.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Reads the beginning of an error's body. */
function createErrorReader(done: (body: Uint8Array) => void): AnswerReader {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      if (bytes >= MAX_ERROR_BYTES) return 'stop';
      chunks.push(chunk);
      bytes += chunk.byteLength;
      return undefined;
    },
    end: () => done(Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES)),
  };
}

function hasFailure(events: readonly ModelEvent[]): boolean {
  for (const { kind } of events) if (kind === 'response-error') return true;
  return false;
}

/** The error of an answer in which nothing comes before it but what every answer begins with. */
function failureAtOnce(
  events: readonly ModelEvent[],
): Extract<ModelEvent, { readonly kind: 'response-error' }> | undefined {
  for (const event of events) {
    if (event.kind === 'response-error') return event;
    if (event.kind !== 'warning' && event.kind !== 'response-start' && event.kind !== 'usage')
      return undefined;
  }
  return undefined;
}

function restored(step: AnswerStep, restorer: AnswerRestorer): AnswerStep {
  return { events: step.events.flatMap((event) => restorer.push(event)) };
}

function brokenEvent(failure: UpstreamFailure): ModelEvent {
  const code = failure.kind === 'timeout' ? 'model/timeout' : 'model/stream-incomplete';
  return { kind: 'response-error', code, message: failure.refusal.message };
}
