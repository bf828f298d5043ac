/**
 * Takes what becomes of a promise that somebody threw: `throw reject()` is a slip for `await`, and a promise that is rejected
 * and that nobody takes ends the process. For everything that foreign code threw, or rejected with, and that goes no further.
 * Does nothing with any other value, and never throws.
 */
export function ignoreThrown(thrown: unknown): void {
  try {
    // It may be rejected with one more.
    if (thrown instanceof Promise) void Promise.prototype.then.call(thrown, undefined, ignoreThrown);
  } catch {
    // A proxy that does not let itself be looked at.
  }
}
