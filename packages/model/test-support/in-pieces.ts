import type { Codec } from '../src/codec/codec.ts';
import { createEventOrder } from '../src/event/event-order.ts';
import type { ModelEvent } from '../src/event/model-event.ts';
import { decodePieces } from './recordings.ts';

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
