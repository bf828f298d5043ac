import type { ToolCall } from '@toolgate/core';
import type { RunOptions } from '../run-options.ts';

/** The signals of one call, as its caller and the time of its run give them. */
export type CallSignals = (limit: AbortSignal | undefined) => AbortSignal | undefined;

/**
 * Asks for the signal of one call, now; a fault of the caller comes out where the call would start, and it does not.
 *
 * @returns Joins it with the limit of the run. Throws what `callSignal` threw; TypeError for what is no signal.
 */
export function askCallSignal(callSignal: RunOptions['callSignal'], call: ToolCall): CallSignals {
  if (callSignal === undefined) return (limit) => limit;
  let own: AbortSignal | undefined;
  try {
    own = readSignal(callSignal(call));
  } catch (fault) {
    return () => {
      throw fault;
    };
  }
  return (limit) =>
    own === undefined || limit === undefined ? (own ?? limit) : AbortSignal.any([own, limit]);
}

function readSignal(given: unknown): AbortSignal | undefined {
  if (given === undefined || given instanceof AbortSignal) return given;
  throw new TypeError('callSignal gives an AbortSignal, or undefined');
}
