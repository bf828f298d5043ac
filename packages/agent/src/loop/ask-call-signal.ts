import { ignoreThrown, isSignal, type ToolCall } from '@toolgate/core';
import type { RunOptions } from '../run-options.ts';

/**
 * Asks for the signal of one call, now. A fault of the caller comes out where the call would start, and it does not.
 *
 * @returns Gives the signal, throws what `callSignal` threw, and TypeError for what is no signal.
 */
export function askCallSignal(
  callSignal: RunOptions['callSignal'],
  call: ToolCall,
): () => AbortSignal | undefined {
  if (callSignal === undefined) return () => undefined;
  try {
    const signal = readSignal(callSignal(call));
    return () => signal;
  } catch (fault) {
    ignoreThrown(fault);
    return () => {
      throw fault;
    };
  }
}

function readSignal(given: AbortSignal | undefined): AbortSignal | undefined {
  if (given === undefined || isSignal(given)) return given;
  ignoreThrown(given);
  throw new TypeError('callSignal gives an AbortSignal, or undefined');
}
