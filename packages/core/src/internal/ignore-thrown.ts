/**
 * Takes what becomes of a promise that somebody threw: `throw reject()` is a slip for `await`, and a promise that is rejected
 * and that nobody takes ends the process. For everything that foreign code threw, or rejected with, and that goes no further.
 * Does nothing with any other value, and never throws. Another kind of thenable is left alone: to ask it may be to start its work.
 */
export function ignoreThrown(thrown: unknown): void {
  try {
    if (typeof thrown !== 'object' || thrown === null || thrown instanceof Error) return;
    // Of every realm, which `instanceof` would not see. It may be rejected with one more.
    void Promise.prototype.then.call(thrown, undefined, ignoreThrown);
  } catch {
    // No promise, or a proxy that does not let itself be looked at.
  }
}
