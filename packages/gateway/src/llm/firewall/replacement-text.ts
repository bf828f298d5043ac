import type { Reason } from '@toolgate/core';

/** How every text begins that stands for a call which the client does not get. Fixed, so that clients can find it. */
export const REPLACEMENT_MARK = '[toolgate]';

/**
 * What a client reads instead of a call. Names neither the tool nor its arguments: they may be what was to be kept from
 * it.
 */
export function replacementText(reason: Reason): string {
  return `${REPLACEMENT_MARK} A tool call of the model was withheld (${reason}).`;
}
