import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { StreamEnding } from '@toolgate/model';
import type { Dispatcher } from 'undici';
import type { ProviderTimeouts } from '../config/gateway-config.ts';
import { connectionFailure, invalidAnswer, timeoutFailure } from './connection-failure.ts';
import { type AnswerUnpacker, createUnpacker } from './unpack-answer.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

/** Receives one answer piece by piece, unpacked. After `end` or `fail` nothing more comes. */
export interface ExchangeHandler {
  head(status: number, headers: IncomingHttpHeaders): void;
  data(chunk: Buffer): void;
  end(): void;
  fail(failure: UpstreamFailure): void;
}

/** One request to a provider. */
export interface Exchange {
  /** Reads no further; what was read already may still come. Waiting for the client is not the provider's silence. */
  pause(): void;
  resume(): void;
  /** Ends it and breaks its connection; the handler hears nothing more. */
  abort(): void;
  /** Whether nothing more can come. */
  isOver(): boolean;
}

/** One request on its own connection. */
export interface SentRequest extends Exchange {
  /**
   * Whether nothing but the end of the answer is missing: its absence is no failure then. A certain one is waited for some
   * seconds, a likely one like any piece.
   */
  expectEnd(ending: StreamEnding): void;
}

/** What an exchange is made of. */
export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly request: Dispatcher.DispatchOptions;
  readonly timeouts: Pick<ProviderTimeouts, 'firstByteMs' | 'idleMs' | 'totalMs'>;
  readonly clock: Clock;
}

/** Milliseconds that the end of an answer is waited for that lacks nothing else: some providers never close it. */
const LAST_WAIT_MS = 5_000;

/** The reason given to the connection; nobody sees it. */
const ABORTED = Object.freeze(new Error('The exchange is over.'));

/** Starts an exchange. One timer watches over it, whatever the number of pieces. */
export function startExchange(options: ExchangeOptions, handler: ExchangeHandler): SentRequest {
  return new Started(options, handler);
}

/** A class, as there is one for each stream: a dozen closures would take as much again. */
class Started implements SentRequest, Dispatcher.DispatchHandler {
  readonly #clock: Clock;
  readonly #timeouts: ExchangeOptions['timeouts'];
  readonly #handler: ExchangeHandler;
  readonly #startedAt: number;
  #controller: Dispatcher.DispatchController | undefined = undefined;
  #over = false;
  #begun = false;
  #paused = false;
  #ending: StreamEnding = 'no';
  #lastAt: number;
  #timer: unknown = undefined;
  /** When the timer fires. */
  #dueAt = 0;
  #unpacker: AnswerUnpacker | undefined = undefined;

  constructor({ clock, dispatcher, request, timeouts }: ExchangeOptions, handler: ExchangeHandler) {
    this.#clock = clock;
    this.#timeouts = timeouts;
    this.#handler = handler;
    this.#startedAt = this.#elapsed();
    this.#lastAt = this.#startedAt;
    this.#watch();
    dispatcher.dispatch(request, this);
  }

  abort(): void {
    // Without a controller the request still waits for its connection; it is ended when it gets one.
    if (!this.#settle()) return;
    this.#unpacker?.stop();
    this.#controller?.abort(ABORTED);
  }

  isOver(): boolean {
    return this.#over;
  }

  pause(): void {
    if (this.#over || this.#paused) return;
    this.#paused = true;
    this.#controller?.pause();
    this.#unpacker?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#lastAt = this.#elapsed();
    if (this.#over) return;
    this.#controller?.resume();
    this.#unpacker?.resume();
  }

  expectEnd(ending: StreamEnding): void {
    if (this.#over || this.#ending === ending) return;
    this.#ending = ending;
    this.#lastAt = this.#elapsed();
    if (ending !== 'certain' || this.#dueAt <= this.#lastAt + LAST_WAIT_MS) return;
    this.#clock.clearTimer(this.#timer);
    this.#watch();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(ABORTED);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Interim answers say nothing yet.
    if (this.#over || status < 200) return;
    this.#begun = true;
    this.#lastAt = this.#elapsed();
    // They are views of all that came with the first bytes, and would keep it to the end of the answer.
    controller.rawHeaders = null;
    // The bound of silence is another one from here on.
    if (this.#dueAt > this.#lastAt + this.#timeouts.idleMs) {
      this.#clock.clearTimer(this.#timer);
      this.#watch();
    }
    const encoding = headers['content-encoding'];
    this.#unpacker = typeof encoding === 'string' ? this.#unpack(encoding) : undefined;
    if (this.#unpacker === undefined) this.#handler.head(status, headers);
    else {
      const { 'content-encoding': _encoding, ...plain } = headers;
      this.#handler.head(status, plain);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    // What comes while only the end is missing, such as signs of life, prolongs nothing.
    if (this.#ending === 'no') this.#lastAt = this.#elapsed();
    if (this.#unpacker === undefined) this.#handler.data(chunk);
    else this.#unpacker.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#unpacker !== undefined) this.#unpacker.end();
    else if (this.#settle()) this.#handler.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#settle()) return;
    this.#unpacker?.stop();
    this.#handler.fail(connectionFailure(error));
  }

  #elapsed(): number {
    return (this.#clock.elapsed ?? this.#clock.now)();
  }

  #settle(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
    return true;
  }

  #watch(): void {
    const timeouts = this.#timeouts;
    const now = this.#elapsed();
    const between = this.#ending === 'certain' ? Math.min(timeouts.idleMs, LAST_WAIT_MS) : timeouts.idleMs;
    const silence = this.#begun ? between : timeouts.firstByteMs;
    const quiet = this.#paused ? silence : silence - (now - this.#lastAt);
    const left = Math.min(quiet, timeouts.totalMs - (now - this.#startedAt));
    if (left > 0) {
      // Not later than the bound of silence between pieces, so that most answers begin without another timer.
      const wait = Math.max(1, Math.min(left, timeouts.idleMs));
      this.#dueAt = now + wait;
      this.#timer = this.#clock.setTimer(() => this.#watch(), wait);
      return;
    }
    this.abort();
    if (this.#ending === 'no') this.#handler.fail(timeoutFailure());
    else this.#handler.end();
  }

  #unpack(encoding: string): AnswerUnpacker | undefined {
    return createUnpacker(encoding, {
      data: (chunk) => {
        if (!this.#over) this.#handler.data(chunk);
      },
      end: () => {
        if (this.#settle()) this.#handler.end();
      },
      broken: () => {
        if (this.#over) return;
        this.abort();
        this.#handler.fail(invalidAnswer());
      },
    });
  }
}
