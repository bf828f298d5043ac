import { ignoreThrown } from '../internal/ignore-thrown.ts';

/** Whether `await` would wait for the value. May throw on a hostile one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** For an answer that has to be there at once: its later rejection would otherwise end the process. Never throws. */
export function ignoreLater(answer: unknown): void {
  try {
    if (isThenable(answer)) Promise.resolve(answer).then(undefined, ignoreThrown);
  } catch (thrown) {
    ignoreThrown(thrown);
    // What cannot be read has no later.
  }
}
