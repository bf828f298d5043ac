import type { ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { Draft } from '../internal/draft.ts';
import { endResponse } from './end-response.ts';
import { holdWrites } from './turn-writes.ts';

/** What a stream to one client is made of. */
export interface ClientStreamOptions {
  readonly clock: Clock;
  /** Sent once, with the first byte or before it. */
  readonly head: () => Readonly<Record<string, string>>;
  /** After this much silence a sign of life is sent, which clients skip and load balancers count. */
  readonly keepAliveMs: number;
  /** Whole events or comments that say nothing new. Default: a comment. */
  readonly sign?: () => string;
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
  /** Called each time that the client takes more again. */
  onDrain(callback: () => void): void;
  readonly bytes: number;
}

/** The sign of life that every stream may have. */
export const COMMENT = ': keep-alive\n\n';

/** Makes a stream of one response, which it owns from then on. Its timer ends with the response. */
export function createClientStream(response: ServerResponse, options: ClientStreamOptions): ClientStream {
  const { clock, head, keepAliveMs, sign = () => COMMENT, stuckMs } = options;
  const elapsed = clock.elapsed ?? clock.now;
  let lastAt = 0;
  let fullSince: number | undefined;
  let timer: unknown;

  // Plain members that are kept up to date: accessors would make every look at them slow, and there is one for each piece.
  const stream: Draft<ClientStream> = {
    started: false,
    ended: false,
    full: false,
    bytes: 0,
    start() {
      if (stream.started || response.destroyed) return;
      begin();
      response.flushHeaders();
    },
    keepAlive() {
      if (stream.started || stream.ended || timer !== undefined) return;
      lastAt = elapsed();
      arm(keepAliveMs);
    },
    write(events: Uint8Array | string) {
      if (stream.ended || response.destroyed || events.length === 0) return;
      begin();
      put(events);
    },
    end() {
      if (stream.ended) return;
      begin();
      stream.ended = true;
      // The timer stays until all of it was taken.
      endResponse(response);
    },
    destroy() {
      stream.ended = true;
      stopTimer();
      response.destroy();
    },
    onDrain(callback: () => void) {
      response.on('drain', () => {
        lastAt = elapsed();
        fullSince = undefined;
        stream.full = false;
        callback();
      });
    },
  };
  const stopTimer = (): void => {
    if (timer !== undefined) clock.clearTimer(timer);
    timer = undefined;
  };
  const arm = (delayMs: number): void => {
    stopTimer();
    timer = clock.setTimer(tick, Math.max(1, delayMs));
  };
  const put = (piece: Uint8Array | string): void => {
    lastAt = elapsed();
    stream.bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength;
    holdWrites(response);
    if (response.write(piece)) return;
    fullSince ??= lastAt;
    stream.full = true;
  };
  function tick(): void {
    if (response.destroyed) return;
    const now = elapsed();
    if (stream.ended) fullSince ??= lastAt;
    // It waits for another answer on its connection, which is not the client's doing.
    if (fullSince !== undefined && response.socket === null) fullSince = now;
    if (fullSince !== undefined) {
      if (now - fullSince >= stuckMs) response.destroy();
      else arm(Math.min(keepAliveMs, stuckMs - (now - fullSince)));
      return;
    }
    if (now - lastAt >= keepAliveMs) {
      begin();
      // Somebody answered in another way meanwhile.
      if (!stream.started) return;
      put(sign());
    }
    arm(keepAliveMs - (now - lastAt));
  }
  /** Without a flush of its own, the head goes out together with the first event. */
  const begin = (): void => {
    if (stream.started || response.destroyed || response.headersSent) return;
    stream.started = true;
    response.writeHead(200, head());
    lastAt = elapsed();
    if (timer === undefined) arm(keepAliveMs);
  };

  response.once('close', () => {
    stream.ended = true;
    stopTimer();
  });
  return stream;
}
