import type { Clock } from '@toolgate/core';
import type { Storage } from './storage.ts';

/** Settings of the logs of calls and of traffic. */
export interface LogConfig {
  readonly storage: Storage;
  readonly clock?: Clock;
  /** Whether contents are stored. Default `false`. */
  readonly contents?: boolean;
  /** Entries that may wait to be written; more are counted and dropped. Default 10,000. */
  readonly maxWaiting?: number;
  /** How long entries are kept, in milliseconds. Default 30 days. */
  readonly retentionMs?: number;
  /** How often old entries are deleted, in milliseconds. Default one hour. */
  readonly pruneMs?: number;
  /** Hears of faults that nobody waits for. */
  readonly onError?: (error: unknown) => void;
}

/** Thirty days. */
export const DEFAULT_RETENTION_MS: number = 30 * 24 * 3_600_000;
