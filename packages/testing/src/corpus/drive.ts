import { eventLoopTurn } from '../clock/event-loop-turn.ts';
import type { FakeClock } from '../clock/fake-clock.ts';

/** How a promise ended, or that it did not. */
export type Driven<Value> =
  | { readonly kind: 'resolved'; readonly value: Value }
  | { readonly kind: 'rejected'; readonly thrown: unknown }
  | { readonly kind: 'hung' };

/** What keeps a system going while its answer is awaited. */
export interface DriveOptions {
  /** Moved from timer to timer. Absent: the platform's time passes by itself. */
  readonly clock: FakeClock | undefined;
  /** How long the platform's time may pass, in milliseconds. */
  readonly patienceMs: number;
  /** Called before time moves. */
  readonly beforeTimeMoves: () => void;
}

// A case sets a handful of timers; a system that keeps setting new ones without an answer hangs.
const MAX_TIMERS = 2_000;
// Turns of the event loop without any timer after which nothing more is to be expected.
const MAX_IDLE_TURNS = 20;

/** Waits for a promise, moving the clock whenever nothing else can happen. */
export async function drive<Value>(promise: Promise<Value>, options: DriveOptions): Promise<Driven<Value>> {
  const { clock, patienceMs, beforeTimeMoves } = options;
  let driven: Driven<Value> | undefined;
  const end = promise.then(
    (value) => {
      driven = { kind: 'resolved', value };
    },
    (thrown: unknown) => {
      driven = { kind: 'rejected', thrown };
    },
  );
  const settled = (): Driven<Value> | undefined => driven;
  if (clock === undefined) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([end, patience]);
    clearTimeout(timer);
    return settled() ?? { kind: 'hung' };
  }
  let idle = 0;
  for (let timers = 0; timers < MAX_TIMERS && idle < MAX_IDLE_TURNS; ) {
    await eventLoopTurn();
    const result = settled();
    if (result !== undefined) return result;
    beforeTimeMoves();
    await eventLoopTurn();
    if (settled() !== undefined) continue;
    if (await clock.advanceToNext()) timers += 1;
    else idle += 1;
  }
  return settled() ?? { kind: 'hung' };
}
