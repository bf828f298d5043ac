import type { Refusal } from '../http/refusal.ts';
import type { RunningCall } from './run-call.ts';

/** The calls that are under way. */
export interface CallsInFlight {
  /** @returns Takes the call out again; only the first time counts. */
  enter(call: RunningCall): () => void;
  /** Ends all of them as failed ones. */
  failAll(refusal: Refusal): void;
  readonly size: number;
}

interface Place {
  readonly call: RunningCall;
  /** `undefined` when it is left. */
  index: number | undefined;
}

/**
 * Makes an empty list. It is no `Set`: V8 gives a set whose members come and go a new table over and over, and each table
 * that was dropped points to the next one. Once one of them is old, all that were ever in the later ones are kept alive until
 * the next full collection; with some dozens of requests at a time that took a seventh of all processor time.
 */
export function createCallsInFlight(): CallsInFlight {
  const places: Place[] = [];

  const leave = (place: Place): void => {
    const { index } = place;
    const last = places.at(-1);
    if (index === undefined || last === undefined) return;
    places.pop();
    place.index = undefined;
    if (last === place) return;
    places[index] = last;
    last.index = index;
  };

  return Object.freeze({
    enter(call: RunningCall) {
      const place: Place = { call, index: places.length };
      places.push(place);
      return () => leave(place);
    },
    failAll(refusal: Refusal) {
      // One that fails may leave at once and give its place to another.
      for (const { call } of [...places]) call.fail(refusal);
    },
    get size() {
      return places.length;
    },
  });
}
