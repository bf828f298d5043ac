import type { JsonObject, JsonValue } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import { createWireReader } from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { ModelError } from '../model-error.ts';
import type { ItemContext } from './decode-item.ts';

/** One item of a streamed output while its events come. */
export interface ItemTrack {
  /** Takes an event that names this item, by its type. Types that belong to other kinds of items are ignored. */
  take(type: string, event: JsonObject): void;
  /**
   * Takes the final form of the item and gives out what its events did not say.
   *
   * @throws ModelError `model/stream-invalid` when they said something else.
   */
  finish(item: JsonObject): void;
  /** Holds a second final form, that of the terminal event, against the item. @throws like `finish`. */
  verify?(item: JsonObject): void;
  /** Takes an event that comes behind the final form; clients may act on what it says all the same. @throws like `finish`. */
  takeLate?(type: string, event: JsonObject): void;
  /** The answer ended without a final form; what the provider said to be whole is closed. */
  leave?(): void;
}

/** What all tracks of one answer share. */
export interface TrackContext {
  readonly writer: ResponseWriter;
  readonly losses: LossLog;
  /** For reading final forms; `seed` is known once the answer has begun. */
  readonly items: () => ItemContext;
  /** Says that the event itself does not say what was read of the call, so that it must not be passed on as it came. */
  readonly misled: () => void;
}

/** Reads events; what it refuses ends the answer as failed. */
export const eventReader: ReturnType<typeof createWireReader> = createWireReader('model/stream-invalid');

/**
 * What a whole text adds to its pieces: all of it where there were none, the rest where they are its beginning.
 *
 * @throws ModelError `model/stream-invalid` when the two disagree.
 */
export function restOf(pieces: string, whole: string): string {
  if (whole.startsWith(pieces)) return whole.slice(pieces.length);
  throw new ModelError('model/stream-invalid', 'A text was sent twice and differs.');
}

/** A small whole number of an event, for example a content index; 0 where there is none. */
export function indexOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
