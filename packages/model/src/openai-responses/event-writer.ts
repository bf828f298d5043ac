import type { JsonObject } from '@toolgate/core';
import { writeSseMessage } from '../sse/sse-writer.ts';

/** Writes numbered events of one stream and remembers the output that they amount to. */
export interface EventWriter {
  /** Queues one event; `type` also names it. */
  emit(type: string, members: JsonObject): void;
  /** Reserves the next place in the output. */
  place(): number;
  /** Sets the form of the item at a place as the terminal event shows it. */
  settle(place: number, item: JsonObject): void;
  /** All items so far, in order. */
  output(): readonly JsonObject[];
  /** The text of the queued events. */
  take(): string;
  /** Numbers the next events from here on, unless they are further already. */
  numberFrom(sequence: number): void;
}

/** Makes the writer of one stream. */
export function createEventWriter(): EventWriter {
  const items = new Map<number, JsonObject>();
  let text = '';
  let sequence = 0;
  let next = 0;
  return {
    emit(type, members) {
      const data = { type, sequence_number: sequence++, ...members };
      text += writeSseMessage({ event: type, data: JSON.stringify(data) });
    },
    place: () => next++,
    settle(place, item) {
      items.set(place, item);
    },
    output: () => [...items].sort(([left], [right]) => left - right).map(([, item]) => item),
    take() {
      const taken = text;
      text = '';
      return taken;
    },
    numberFrom(first) {
      sequence = Math.max(sequence, first);
    },
  };
}
