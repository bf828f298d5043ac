import { ignoreThrown } from '@toolgate/core';

/**
 * Who hears of errors, as everybody here may tell it: what a listener throws or rejects with is its own affair, and whoever met
 * with the error goes on.
 */
export function containedListener(
  listener: ((error: unknown) => void) | undefined,
): (error: unknown) => void {
  return (error) => {
    ignoreThrown(error);
    try {
      // Its answer is a promise where the listener is an async function.
      ignoreThrown(listener?.(error));
    } catch (thrown) {
      ignoreThrown(thrown);
    }
  };
}
