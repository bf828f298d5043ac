import { followSignal } from '@toolgate/core';

/**
 * Asks a store whether a decision is taken for the first time. Only a plain `true` is a yes: what a database answers
 * otherwise is mostly truthy, also when it wrote nothing.
 *
 * @param signals - Where one of them is aborted first, nobody waits for the store any more.
 * @returns `undefined` when nobody waits; where nobody did from the start, the store was not asked.
 * @throws What the store throws; TypeError for an answer that is neither `true` nor `false`.
 */
export async function claimWithin(
  claim: () => boolean | Promise<boolean>,
  signals: readonly (AbortSignal | undefined)[],
): Promise<boolean | undefined> {
  if (signals.some((signal) => signal?.aborted === true)) return undefined;
  const ends: (() => void)[] = [];
  try {
    return await new Promise<boolean | undefined>((resolve, reject) => {
      const leave = (): void => resolve(undefined);
      for (const signal of signals) {
        if (signal !== undefined) ends.push(followSignal(signal, leave));
      }
      Promise.resolve()
        .then(claim)
        .then((answer: unknown) => {
          if (typeof answer === 'boolean') resolve(answer);
          else reject(new TypeError('claimDecision answers true or false'));
        })
        .catch(reject);
    });
  } finally {
    for (const end of ends) end();
  }
}
