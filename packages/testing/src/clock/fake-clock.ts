import type { Clock } from '@toolgate/core';
import { eventLoopTurn } from './event-loop-turn.ts';

/** A timer of a fake clock that has neither fired nor been cleared, or did so. */
export interface FakeTimer {
  /** The time at which it is due, in milliseconds. */
  readonly dueAt: number;
}

/** A clock that stands still until it is told to move. It fits wherever Toolgate takes a clock. */
export interface FakeClock extends Clock {
  /**
   * Calls `callback` once, when the clock reaches the present time plus `delayMs`.
   *
   * @throws RangeError for a delay that a platform timer would take for something else: negative, not finite, or
   * above 2,147,483,647 ms (which fires at once in every JavaScript runtime).
   */
  readonly setTimer: (callback: () => void, delayMs: number) => FakeTimer;
  /** Forgets a timer. A timer that fired, was cleared before, or belongs to another clock is ignored. */
  readonly clearTimer: (timer: unknown) => void;
  /**
   * Moves the clock by `ms`, firing what falls due in order of time, then of setting. Promise reactions run to their
   * end between two timers and before the returned promise settles; timers set on the way count.
   *
   * @throws RangeError for a negative or non-finite step. What a callback throws comes out, with the clock at its time.
   */
  readonly advance: (ms: number) => Promise<void>;
  /** Moves the clock to the next timer and fires it. `false`, and nothing moves, when no timer is pending. */
  readonly advanceToNext: () => Promise<boolean>;
  /** How many timers are set. */
  readonly pending: number;
}

/** Settings of a fake clock. */
export interface FakeClockOptions {
  /** The time at the start, in milliseconds. Default 0. */
  readonly now?: number;
}

const MAX_DELAY_MS = 2_147_483_647;

interface Entry extends FakeTimer {
  readonly callback: () => void;
}

/**
 * Makes a clock at rest. Its callbacks run only inside `advance` and `advanceToNext`.
 *
 * @throws RangeError for a time at the start that is not finite.
 */
export function createFakeClock(options: FakeClockOptions = {}): FakeClock {
  let time = options.now ?? 0;
  if (!Number.isFinite(time)) throw new RangeError('a fake clock starts at a finite time');
  // Kept in the order of firing: by due time, and by order of setting where that is equal.
  const timers: Entry[] = [];

  const setTimer = (callback: () => void, delayMs: number): FakeTimer => {
    if (!(delayMs >= 0 && delayMs <= MAX_DELAY_MS)) {
      throw new RangeError(`a timer of ${delayMs} ms would not fire when it is meant to`);
    }
    const entry: Entry = Object.freeze({ dueAt: time + delayMs, callback });
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((timers[middle]?.dueAt ?? 0) <= entry.dueAt) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, entry);
    return entry;
  };

  const fireFirst = async (): Promise<void> => {
    const first = timers.shift();
    if (first === undefined) return;
    // A callback may itself have moved the clock; time never runs backwards.
    time = Math.max(time, first.dueAt);
    first.callback();
    await eventLoopTurn();
  };

  return Object.freeze({
    now: () => time,
    setTimer,
    clearTimer: (timer: unknown) => {
      const index = timers.indexOf(timer as Entry);
      if (index >= 0) timers.splice(index, 1);
    },
    advance: async (ms: number) => {
      if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY))
        throw new RangeError(`a clock cannot move by ${ms} ms`);
      const end = time + ms;
      while ((timers[0]?.dueAt ?? Number.POSITIVE_INFINITY) <= end) await fireFirst();
      time = Math.max(time, end);
      await eventLoopTurn();
    },
    advanceToNext: async () => {
      if (timers.length === 0) return false;
      await fireFirst();
      return true;
    },
    get pending() {
      return timers.length;
    },
  });
}
