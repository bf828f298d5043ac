import type { Steps } from './steps.ts';
import type { StorageKind } from './storage-kind.ts';

/** Work without a transaction of its own: it is done in one of somebody else. */
export interface Passenger {
  /** The steps of what waits; `undefined` for nothing. Called in the transaction. */
  readonly board: (kind: StorageKind) => Steps<void> | undefined;
  /** What boarded is written. Does not throw. */
  readonly arrive: () => void;
}

/**
 * Takes steps together with what waits for a transaction, and alone where that fails: what rides along keeps nobody from
 * writing, and learns from a transaction of its own what is wrong with it.
 *
 * @param transact - Takes steps in a transaction, all at once.
 */
export function transactTogether<Result>(
  make: () => Steps<Result>,
  passengers: Iterable<Passenger>,
  kind: StorageKind,
  transact: (make: () => Steps<Result>) => Result,
): Result {
  const boarded: Passenger[] = [];
  function* together(): Steps<Result> {
    const result = yield* make();
    for (const passenger of passengers) {
      const steps = passenger.board(kind);
      if (steps === undefined) continue;
      boarded.push(passenger);
      yield* steps;
    }
    return result;
  }
  let result: Result;
  try {
    result = transact(together);
  } catch (error) {
    if (boarded.length === 0) throw error;
    return transact(make);
  }
  for (const passenger of boarded) passenger.arrive();
  return result;
}
