import { ignoreThrown } from '@toolgate/core';

/**
 * Does work of a door of ours behind which foreign code may throw: what it throws comes through as it is, and where that is a
 * promise, by a slip, it ends no process.
 */
export async function takingThrown<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    ignoreThrown(error);
    throw error;
  }
}
