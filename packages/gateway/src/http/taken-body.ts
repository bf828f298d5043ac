import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { WriteWholeOptions } from './write-whole.ts';

/** Characters of a text that are handed over at once. */
const PIECE_LENGTH = 65_536;

/**
 * A body that comes as fast as its client takes it. One that takes nothing for too long is cut off: it would keep what it asked
 * for, its place and its configuration for ever.
 *
 * @param body - A text, or its parts in order.
 */
export function takenBody(
  response: ServerResponse,
  body: string | AsyncIterable<string>,
  { clock, stuckMs }: WriteWholeOptions,
): Readable {
  const elapsed = clock.elapsed ?? clock.now;
  let lastAt = elapsed();
  const tick = (): void => {
    // It waits for another answer on its connection, which is not the client's doing.
    if (response.socket === null) lastAt = elapsed();
    const leftMs = stuckMs - (elapsed() - lastAt);
    if (leftMs <= 0) response.destroy();
    else timer = clock.setTimer(tick, leftMs);
  };
  let timer = clock.setTimer(tick, stuckMs);
  response.once('close', () => clock.clearTimer(timer));
  async function* pieces(): AsyncGenerator<string> {
    for await (const piece of typeof body === 'string' ? piecesOf(body) : body) {
      // Whoever asks for the next one has taken those before.
      lastAt = elapsed();
      yield piece;
    }
  }
  return Readable.from(pieces());
}

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_LENGTH, text.length);
    // Half of a character would be written as another one.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}
