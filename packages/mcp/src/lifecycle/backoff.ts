/** Delays before a server is started again: none after the first failure, then twice as long each time. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Half a second to half a minute. */
export const DEFAULT_BACKOFF: Backoff = Object.freeze({ firstMs: 500, maxMs: 30_000 });

/** How long to wait before the next start, in milliseconds. */
export function delayAfter(failures: number, { firstMs, maxMs }: Backoff): number {
  if (failures <= 1) return 0;
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 2, 30));
}
