import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@toolgate/core';

/** Settings of a writer of batches. */
export interface BatchWriterConfig<Item> {
  readonly clock: Clock;
  /** Writes all of them or none. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Items that may wait; more are counted and dropped. Default 10,000. */
  readonly maxWaiting?: number;
  /** What an item takes, in a unit of the caller's. Default: nothing. */
  readonly sizeOf?: (item: Item) => number;
  /** What all that wait may take; more is counted and dropped. Default 67,108,864 (64 Mi). */
  readonly maxSize?: number;
  /** Items of one batch: on SQLite everything else stands still meanwhile, for some milliseconds. Default 250. */
  readonly batch?: number;
  /** How long an item may wait for others, in milliseconds. Default 200. */
  readonly delayMs?: number;
  readonly onError: (error: unknown) => void;
}

/** Collects items and writes them in batches, without ever making anybody wait. */
export interface BatchWriter<Item> {
  /** Takes an item, or counts it as dropped. Never throws. */
  add(item: Item): void;
  readonly dropped: number;
  /** Settles when everything that was added before is written or dropped. */
  flush(): Promise<void>;
  /** Flushes; what is added later is dropped. */
  close(): Promise<void>;
}

/** A batch that storage refused this often is given up, so that one bad item does not hold all others. */
const ATTEMPTS = 3;

/** Makes a writer at rest. */
export function createBatchWriter<Item>(config: BatchWriterConfig<Item>): BatchWriter<Item> {
  const { clock, write, maxWaiting = 10_000, batch = 250, delayMs = 200, onError } = config;
  const { maxSize = 64 * 1024 * 1024, sizeOf = () => 0 } = config;
  let waiting: Item[] = [];
  let size = 0;
  let dropped = 0;
  let failures = 0;
  let timer: unknown;
  let tail: Promise<void> = Promise.resolve();
  let closed = false;

  /** Whether the first batch is out of the queue, written or given up. */
  const writeFirst = async (): Promise<boolean> => {
    const items = waiting.slice(0, batch);
    try {
      await write(items);
    } catch (error) {
      onError(error);
      failures += 1;
      if (failures < ATTEMPTS) return false;
      dropped += items.length;
    }
    failures = 0;
    waiting = waiting.slice(items.length);
    for (const item of items) size -= sizeOf(item);
    return true;
  };
  const writeAll = async (insist: boolean): Promise<void> => {
    while (waiting.length > 0 && ((await writeFirst()) || insist)) {
      // SQLite writes while everything else stands still, so others get their turn between two batches.
      await setImmediate();
    }
    if (waiting.length > 0) schedule();
  };
  const run = async (insist: boolean): Promise<void> => {
    clock.clearTimer(timer);
    timer = undefined;
    tail = tail.then(async () => writeAll(insist));
    await tail;
  };
  const schedule = (): void => {
    if (timer !== undefined || closed) return;
    timer = clock.setTimer(() => void run(false), delayMs);
    clock.holdTimer?.(timer, false);
  };

  return Object.freeze({
    add: (item: Item) => {
      const more = sizeOf(item);
      if (closed || waiting.length >= maxWaiting || size + more > maxSize) {
        dropped += 1;
        return;
      }
      size += more;
      waiting.push(item);
      schedule();
    },
    get dropped() {
      return dropped;
    },
    flush: async () => run(true),
    close: async () => {
      closed = true;
      await run(true);
    },
  });
}
