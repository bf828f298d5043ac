import type { ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';

/** What the writing of a whole answer needs. */
export interface WriteWholeOptions {
  readonly clock: Clock;
  /** A client that takes nothing for so long is cut off: it would keep its place for ever. */
  readonly stuckMs: number;
}

/** A longer body is not copied in order to be written together with its head. */
const MAX_JOINED_BYTES = 16_384;
/** A longer body is written in pieces, by which a client that is slow can be told from one that takes nothing. */
const PIECE_BYTES = 262_144;

/** Writes the whole body of a response whose head was written, and ends it. There is no timer where all is taken at once. */
export function writeWhole(response: ServerResponse, body: Buffer, options: WriteWholeOptions): void {
  if (body.byteLength > MAX_JOINED_BYTES) {
    writeInPieces(response, body, options);
    return;
  }
  // A string goes out in one write with the head, and Latin-1 says each byte as it is.
  response.end(body.toString('latin1'), 'latin1');
  watch(response, options);
}

function writeInPieces(response: ServerResponse, body: Buffer, options: WriteWholeOptions): void {
  let written = 0;
  let taken: (() => void) | undefined;
  const next = (error?: Error | null): void => {
    if (error) return;
    taken?.();
    // Node takes a connection for idle whose answer has ended, and closes it although bytes of that are still to go.
    if (written === body.byteLength) {
      response.end();
      return;
    }
    const piece = body.subarray(written, written + PIECE_BYTES);
    written += piece.byteLength;
    response.write(piece, next);
  };
  next();
  // What the system takes at once is taken before this.
  setImmediate(() => {
    taken = watch(response, options);
  });
}

/** @returns To be called when the client took something; `undefined` where there is nothing left to take. */
function watch(response: ServerResponse, { clock, stuckMs }: WriteWholeOptions): (() => void) | undefined {
  // All of it is with the system; `writableFinished` says so a moment later from Node 24 on.
  if ((response.writableEnded && response.writableLength === 0) || response.destroyed) return undefined;
  const elapsed = clock.elapsed ?? clock.now;
  let lastAt = elapsed();
  const tick = (): void => {
    const now = elapsed();
    // It waits for another answer on its connection, which is not the client's doing.
    if (response.socket === null) lastAt = now;
    if (now - lastAt >= stuckMs) response.destroy();
    else timer = clock.setTimer(tick, stuckMs - (now - lastAt));
  };
  let timer = clock.setTimer(tick, stuckMs);
  response.once('close', () => clock.clearTimer(timer));
  return () => {
    lastAt = elapsed();
  };
}
