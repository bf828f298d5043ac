// Taken when the module loads, so that a test which replaces the global timers does not stop the clock.
const { setImmediate: immediate, setTimeout: timeout } = globalThis;

/** Settles after one turn of the event loop: every promise reaction that was ready, or became ready on the way, has run. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof immediate === 'function') immediate(resolve);
    else timeout(resolve, 0);
  });
}
