import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@toolgate/core';
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

/** What an exchange is made of. */
export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly request: Dispatcher.DispatchOptions;
  readonly timeouts: Pick<ProviderTimeouts, 'firstByteMs' | 'idleMs' | 'totalMs'>;
  readonly clock: Clock;
}

/** The reason given to the connection; nobody sees it. */
const ABORTED = Object.freeze(new Error('The exchange is over.'));

/** Starts an exchange. One timer watches over it, whatever the number of pieces. */
export function startExchange(options: ExchangeOptions, handler: ExchangeHandler): Exchange {
  const { clock, timeouts } = options;
  const elapsed = clock.elapsed ?? clock.now;
  const startedAt = elapsed();
  let controller: Dispatcher.DispatchController | undefined;
  let over = false;
  let begun = false;
  let paused = false;
  let lastAt = startedAt;
  let timer: unknown;
  /** When the timer fires. */
  let dueAt = 0;
  let unpacker: AnswerUnpacker | undefined;

  const settle = (): boolean => {
    if (over) return false;
    over = true;
    clock.clearTimer(timer);
    return true;
  };
  const abort = (): void => {
    // Without a controller the request still waits for its connection; it is ended when it gets one.
    if (!settle()) return;
    unpacker?.stop();
    controller?.abort(ABORTED);
  };
  const watch = (): void => {
    const now = elapsed();
    const silence = begun ? timeouts.idleMs : timeouts.firstByteMs;
    const quiet = paused ? silence : silence - (now - lastAt);
    const left = Math.min(quiet, timeouts.totalMs - (now - startedAt));
    if (left > 0) {
      // Not later than the bound of silence between pieces, so that most answers begin without another timer.
      const wait = Math.max(1, Math.min(left, timeouts.idleMs));
      dueAt = now + wait;
      timer = clock.setTimer(watch, wait);
      return;
    }
    abort();
    handler.fail(timeoutFailure());
  };
  watch();

  const unpack = (encoding: string): AnswerUnpacker | undefined =>
    createUnpacker(encoding, {
      data(chunk) {
        if (!over) handler.data(chunk);
      },
      end() {
        if (settle()) handler.end();
      },
      broken() {
        if (over) return;
        abort();
        handler.fail(invalidAnswer());
      },
    });

  options.dispatcher.dispatch(options.request, {
    onRequestStart(started) {
      controller = started;
      if (over) started.abort(ABORTED);
    },
    onResponseStart(_controller, status, headers) {
      // Interim answers say nothing yet.
      if (over || status < 200) return;
      begun = true;
      lastAt = elapsed();
      // The bound of silence is another one from here on.
      if (dueAt > lastAt + timeouts.idleMs) {
        clock.clearTimer(timer);
        watch();
      }
      const encoding = headers['content-encoding'];
      unpacker = typeof encoding === 'string' ? unpack(encoding) : undefined;
      if (unpacker === undefined) handler.head(status, headers);
      else {
        const { 'content-encoding': _encoding, ...plain } = headers;
        handler.head(status, plain);
      }
    },
    onResponseData(_controller, chunk) {
      if (over) return;
      lastAt = elapsed();
      if (unpacker === undefined) handler.data(chunk);
      else unpacker.push(chunk);
    },
    onResponseEnd() {
      if (unpacker !== undefined) unpacker.end();
      else if (settle()) handler.end();
    },
    onResponseError(_controller, error) {
      if (!settle()) return;
      unpacker?.stop();
      handler.fail(connectionFailure(error));
    },
  });

  // No accessors and no freezing: an object with either takes longer to make than everything else here.
  return {
    abort,
    isOver: () => over,
    pause() {
      if (over || paused) return;
      paused = true;
      controller?.pause();
      unpacker?.pause();
    },
    resume() {
      if (!paused) return;
      paused = false;
      lastAt = elapsed();
      if (over) return;
      controller?.resume();
      unpacker?.resume();
    },
  };
}
