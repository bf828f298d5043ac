import { ModelError } from '../model-error.ts';

/** When and how often a request that was not answered is sent again. */
export interface RetryOptions {
  /** Requests in all, the first one included. Default 3; 1 turns retries off. */
  readonly attempts?: number;
  /** Upper bound of the first wait in milliseconds; doubles with every attempt. Default 500. */
  readonly baseDelayMs?: number;
  /** Upper bound of any wait, also of one the server asks for; a longer wish ends the retries. Default 30,000. */
  readonly maxDelayMs?: number;
}

/** Whether a status says that the same request may succeed later. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/**
 * Whether a failure of {@link ModelError} form may be followed by the same request again. A timeout is not: the model
 * may have worked, and been paid for, all that time.
 */
export function isRetryable(error: unknown): boolean {
  if (!ModelError.is(error)) return false;
  if (error.code === 'model/connection-failed') return true;
  return error.code === 'model/http-status' && error.status !== undefined && isRetryableStatus(error.status);
}

/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3): seconds or a date.
 *
 * @returns Milliseconds from `now`, never negative; `undefined` when absent or unreadable.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * How long to wait before the next attempt: what the server asked for, else full jitter over a doubling window.
 *
 * @param attempt - The attempt that just failed, from 1.
 * @param random - In [0, 1).
 * @returns `undefined` when the server asks for more than `maxDelayMs`: then no retry is made.
 */
export function retryDelayMs(
  attempt: number,
  askedMs: number | undefined,
  options: Required<RetryOptions>,
  random: () => number,
): number | undefined {
  if (askedMs !== undefined) return askedMs <= options.maxDelayMs ? askedMs : undefined;
  return Math.floor(random() * Math.min(options.maxDelayMs, options.baseDelayMs * 2 ** (attempt - 1)));
}
