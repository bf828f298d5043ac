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
 * Reads `Retry-After` (RFC 9110 section 10.2.3), seconds or a date, or the finer `retry-after-ms` of some providers.
 *
 * @returns Milliseconds from `now`, never negative; `undefined` when absent or unreadable.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const fine = headers.get('retry-after-ms')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(fine)) return Number(fine);
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Only what begins with a day's name: the parser of dates would make one of almost anything.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
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
