import { GateError } from '@toolgate/core';
import type { FailureData } from './loop/loop-rules.ts';

/** What ends a run whose gate did not open; `undefined` for misuse, which is thrown. */
export function toGateFailure(error: unknown): FailureData | undefined {
  if (!GateError.is(error) || error.code !== 'gate/availability') return undefined;
  return { code: error.code, message: error.message };
}
