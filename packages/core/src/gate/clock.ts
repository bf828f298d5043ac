/** Time as a gate sees it. Everything that waits goes through one of these, so that a test can stand still. */
export interface Clock {
  /** Wall clock: milliseconds since the epoch. Used for what is written down, such as the expiry of an approval. */
  readonly now: () => number;
  /**
   * Milliseconds of a clock that is never set back or forward; its zero means nothing. Used for deadlines, so that a
   * corrected wall clock neither ends a call nor keeps it. Default: `now`.
   */
  readonly elapsed?: () => number;
  /** Calls `callback` once, after `delayMs` (0 to 2,147,483,647). The handle means something to this clock alone. */
  readonly setTimer: (callback: () => void, delayMs: number) => unknown;
  /** Forgets a timer; a handle that already fired is ignored. */
  readonly clearTimer: (handle: unknown) => void;
  /**
   * Says whether a set timer keeps the process alive. A gate holds its timer while calls run, because somebody awaits
   * their outcomes, and lets go when none does. Default: nothing happens.
   */
  readonly holdTimer?: (handle: unknown, hold: boolean) => void;
}

/** The longest delay that a platform timer takes at its word; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** The platform's clock and timers. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer: (callback: () => void, delayMs: number) => setTimeout(callback, delayMs),
  clearTimer: (handle: unknown) => {
    if (isTimerHandle(handle)) clearTimeout(handle);
  },
  holdTimer: (handle: unknown, hold: boolean) => {
    // A number in browsers and workers, which do not wait for timers.
    if (typeof handle !== 'object' || handle === null || !('ref' in handle) || !('unref' in handle)) return;
    const change = hold ? handle.ref : handle.unref;
    if (typeof change === 'function') change.call(handle);
  },
});

function isTimerHandle(handle: unknown): handle is ReturnType<typeof setTimeout> {
  return typeof handle === 'object' || typeof handle === 'number';
}
