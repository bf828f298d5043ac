import type { Digest } from '@toolgate/core';
import { ControlError } from '../control-error.ts';

/** What is known of a trajectory from one attempt to the next. Frozen. */
export interface ProtocolState {
  /** Repair attempts so far. */
  readonly reprompts: number;
  /** What the last repaired attempt looked like; empty before the first. */
  readonly lastFingerprint: Digest | '';
  /** How often in a row an attempt looked like the one before. */
  readonly consecutiveNoProgress: number;
  /** Whether the trajectory has ended. */
  readonly terminal: boolean;
}

/** The state before the first attempt. */
export const INITIAL_STATE: ProtocolState = Object.freeze({
  reprompts: 0,
  lastFingerprint: '',
  consecutiveNoProgress: 0,
  terminal: false,
});

/** The largest count that a state may hold. */
export const MAX_STATE_COUNT = 255;

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

/** Whether a value can be a state: bounded counts, and none without a fingerprint. */
export function isProtocolState(value: unknown): value is ProtocolState {
  if (typeof value !== 'object' || value === null) return false;
  const { reprompts, lastFingerprint, consecutiveNoProgress, terminal } = value as Partial<
    Record<keyof ProtocolState, unknown>
  >;
  if (!isCount(reprompts) || !isCount(consecutiveNoProgress) || typeof terminal !== 'boolean') return false;
  if (lastFingerprint === '') return reprompts === 0 && consecutiveNoProgress === 0;
  return typeof lastFingerprint === 'string' && FINGERPRINT.test(lastFingerprint);
}

/** @throws ControlError `control/token-invalid` for what is no state. */
export function checkProtocolState(value: unknown): ProtocolState {
  if (isProtocolState(value)) return value;
  throw new ControlError('control/token-invalid', 'The state of the control protocol cannot be right.');
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_STATE_COUNT;
}
