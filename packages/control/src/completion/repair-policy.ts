import { ControlError } from '../control-error.ts';
import { MAX_STATE_COUNT } from './protocol-state.ts';

/** How far an attempt without a completion is repaired. */
export interface RepairPolicy {
  /** Repair attempts of one trajectory, 1 to 3. Default 1. */
  readonly maxReprompts?: number;
  /** Attempts in a row that look alike before it ends, 1 to 64. Default 2. */
  readonly noProgressLimit?: number;
  /** Attempts of one request altogether, whatever they were for; 0 is no cap. Default 0. */
  readonly maxAttempts?: number;
}

/**
 * A policy with its defaults.
 *
 * @throws ControlError `control/options-invalid` for a number outside its bounds.
 */
export function checkRepairPolicy(policy: RepairPolicy = {}): Required<RepairPolicy> {
  const { maxReprompts = 1, noProgressLimit = 2, maxAttempts = 0 } = policy;
  checkRange('maxReprompts', maxReprompts, 1, 3);
  checkRange('noProgressLimit', noProgressLimit, 1, 64);
  checkRange('maxAttempts', maxAttempts, 0, MAX_STATE_COUNT);
  return { maxReprompts, noProgressLimit, maxAttempts };
}

function checkRange(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new ControlError(
    'control/options-invalid',
    `${name} must be a whole number from ${least} to ${most}.`,
  );
}
