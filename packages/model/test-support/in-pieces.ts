import type { Codec } from '../src/codec/codec.ts';
import { createEventOrder } from '../src/event/event-order.ts';
import type { ModelEvent } from '../src/event/model-event.ts';
import { decodePieces } from './recordings.ts';

/** Longer than most lines of a recording, so that a cut is seldom near another one. */
const CUT_EVERY = 256;

/**
 * The stream in pieces, again and again, until it was cut at each of its bytes: always at many places at once, because a
 * reading for each place alone would take the square of the length.
 */
export function* everyCut(bytes: Uint8Array): Generator<readonly Uint8Array[]> {
  for (let first = 0; first < Math.min(CUT_EVERY, bytes.length + 1); first++) {
    const pieces = [bytes.subarray(0, first)];
    for (let at = first; at <= bytes.length; at += CUT_EVERY) pieces.push(bytes.subarray(at, at + CUT_EVERY));
    yield pieces;
  }
}

/** The events of a stream that arrives in pieces of one size, after their order was checked. */
export function decodeInPieces(codec: Codec, bytes: Uint8Array, size: number): readonly ModelEvent[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  const { events } = decodePieces(codec, pieces);
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  return events;
}
