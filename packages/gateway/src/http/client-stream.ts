import type { ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';
import { endResponse } from './end-response.ts';
import type { TurnWrites } from './turn-writes.ts';

/** What a stream to one client is made of. */
export interface ClientStreamOptions {
  readonly clock: Clock;
  /** Where its pieces wait for the end of a turn. */
  readonly turns: TurnWrites;
  /** Sent once, with the first byte or before it. */
  head(): Readonly<Record<string, string>>;
  /** After this much silence a sign of life is sent, which clients skip and load balancers count. */
  readonly keepAliveMs: number;
  /** Whole events or comments that say nothing new. Default: a comment. */
  sign?(): string;
  /** A client that takes nothing for so long is cut off, behind the end, too: it would keep its place for ever. */
  readonly stuckMs: number;
}

/** A stream of server-sent events to one client. Nothing is queued here beyond what the socket holds. */
export interface ClientStream {
  /** Sends status and headers; from here on the answer cannot become another one. */
  start(): void;
  /** Keeps the connection alive from here on, with status and headers if need be, although nothing was said yet. */
  keepAlive(): void;
  /** Writes whole events. */
  write(events: Uint8Array | string): void;
  end(): void;
  /** Ends the connection instead of the answer. */
  destroy(): void;
  readonly started: boolean;
  readonly ended: boolean;
  /** Whether the client takes less than it is given; stop, and go on when it calls back. */
  readonly full: boolean;
  /** Has the one callback called each time that the client takes more again. */
  onDrain(callback: () => void): void;
  readonly bytes: number;
}

/** The sign of life that every stream may have. */
export const COMMENT = ': keep-alive\n\n';

/** Makes a stream of one response, which it owns from then on. Its timer ends with the response. */
export function createClientStream(response: ServerResponse, options: ClientStreamOptions): ClientStream {
  return new Stream(response, options);
}

class Stream implements ClientStream {
  readonly #response: ServerResponse;
  readonly #options: ClientStreamOptions;
  #lastAt = 0;
  #fullSince: number | undefined = undefined;
  #timer: unknown = undefined;
  #onDrain: (() => void) | undefined = undefined;
  // Plain members that are kept up to date: accessors would make every look at them slow, and there is one for each piece.
  started = false;
  ended = false;
  full = false;
  bytes = 0;

  constructor(response: ServerResponse, options: ClientStreamOptions) {
    this.#response = response;
    this.#options = options;
    response.on('close', () => {
      this.ended = true;
      this.#stopTimer();
    });
  }

  start(): void {
    if (this.started || this.#response.destroyed) return;
    this.#begin();
    this.#response.flushHeaders();
  }

  keepAlive(): void {
    if (this.started || this.ended || this.#timer !== undefined) return;
    this.#lastAt = this.#elapsed();
    this.#arm(this.#options.keepAliveMs);
  }

  write(events: Uint8Array | string): void {
    if (this.ended || this.#response.destroyed || events.length === 0) return;
    this.#begin();
    this.#put(events);
  }

  end(): void {
    if (this.ended) return;
    this.#begin();
    this.ended = true;
    // The timer stays until all of it was taken.
    endResponse(this.#response);
  }

  destroy(): void {
    this.ended = true;
    this.#stopTimer();
    this.#response.destroy();
  }

  onDrain(callback: () => void): void {
    this.#onDrain = callback;
  }

  #drained(): void {
    this.#lastAt = this.#elapsed();
    this.#fullSince = undefined;
    this.full = false;
    this.#onDrain?.();
  }

  #elapsed(): number {
    const { clock } = this.#options;
    return (clock.elapsed ?? clock.now)();
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #arm(delayMs: number): void {
    this.#stopTimer();
    this.#timer = this.#options.clock.setTimer(() => this.#tick(), Math.max(1, delayMs));
  }

  /** Without a flush of its own, the head goes out together with the first event. */
  #begin(): void {
    const response = this.#response;
    if (this.started || response.destroyed || response.headersSent) return;
    this.started = true;
    response.writeHead(200, this.#options.head());
    this.#lastAt = this.#elapsed();
    if (this.#timer === undefined) this.#arm(this.#options.keepAliveMs);
  }

  #put(piece: Uint8Array | string): void {
    this.#lastAt = this.#elapsed();
    this.bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength;
    this.#options.turns.hold(this.#response);
    if (this.#response.write(piece)) return;
    this.#fullSince ??= this.#lastAt;
    if (this.full) return;
    this.full = true;
    // Few clients ever take less than they are given.
    this.#response.once('drain', () => this.#drained());
  }

  #tick(): void {
    const response = this.#response;
    const { keepAliveMs, stuckMs } = this.#options;
    if (response.destroyed) return;
    const now = this.#elapsed();
    if (this.ended) this.#fullSince ??= this.#lastAt;
    // It waits for another answer on its connection, which is not the client's doing.
    if (this.#fullSince !== undefined && response.socket === null) this.#fullSince = now;
    if (this.#fullSince !== undefined) {
      const fullMs = now - this.#fullSince;
      if (fullMs >= stuckMs) response.destroy();
      else this.#arm(Math.min(keepAliveMs, stuckMs - fullMs));
      return;
    }
    if (now - this.#lastAt >= keepAliveMs) {
      this.#begin();
      // Somebody answered in another way meanwhile.
      if (!this.started) return;
      this.#put(this.#options.sign?.() ?? COMMENT);
    }
    this.#arm(keepAliveMs - (now - this.#lastAt));
  }
}
