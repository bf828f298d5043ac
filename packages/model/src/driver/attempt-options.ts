import { ModelError } from '../model-error.ts';
import type { RetryOptions } from './retry.ts';
import type { ModelTimeouts } from './watchdog.ts';

/** Bounds of time and of attempts, with every default filled in. */
export interface AttemptBounds {
  readonly timeouts: Required<ModelTimeouts>;
  readonly retry: Required<RetryOptions>;
}

/** @throws ModelError `model/options-invalid` that names the field. */
export function readAttemptOptions(options: {
  readonly timeouts?: ModelTimeouts;
  readonly retry?: RetryOptions;
}): AttemptBounds {
  const { timeouts, retry } = options;
  return {
    timeouts: {
      firstEventMs: readBound('timeouts.firstEventMs', timeouts?.firstEventMs, 120_000),
      betweenEventsMs: readBound('timeouts.betweenEventsMs', timeouts?.betweenEventsMs, 60_000),
      totalMs: readBound('timeouts.totalMs', timeouts?.totalMs, 900_000),
    },
    retry: {
      attempts: whole('retry.attempts', retry?.attempts ?? 3),
      baseDelayMs: positive('retry.baseDelayMs', retry?.baseDelayMs ?? 500),
      maxDelayMs: positive('retry.maxDelayMs', retry?.maxDelayMs ?? 30_000),
    },
  };
}

/** @throws ModelError `model/options-invalid` that names the field. */
export function readBound(
  field: string,
  value: number | 'none' | undefined,
  otherwise: number,
): number | 'none' {
  return value === 'none' ? 'none' : positive(field, value ?? otherwise);
}

function positive(field: string, value: number): number {
  if (!Number.isFinite(value) || value <= 0) throw invalid(`${field} must be a positive number or 'none'`);
  return value;
}

function whole(field: string, value: number): number {
  if (!Number.isSafeInteger(value) || value <= 0) throw invalid(`${field} must be a whole number from 1`);
  return value;
}

function invalid(message: string): ModelError {
  return new ModelError('model/options-invalid', message);
}
