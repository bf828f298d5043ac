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
  /**
   * Items of one batch. On SQLite everything else stands still meanwhile, for some milliseconds, but each batch has a price of
   * its own. Default 400.
   */
  readonly batch?: number;
  /** How long an item may wait for a whole batch, in milliseconds. Default 200. */
  readonly delayMs?: number;
  /** Whether an error says nothing against the items: they are kept until it is over. Default: none does. */
  readonly passes?: (error: unknown) => boolean;
  readonly onError: (error: unknown) => void;
}

/** Collects items and writes them in batches, without ever making anybody wait. */
export interface BatchWriter<Item> {
  /** Takes an item, or counts it as dropped. Never throws. */
  add(item: Item): void;
  readonly dropped: number;
  /** The first items, for somebody who writes them; none while they are being written. */
  first(): readonly Item[];
  /** Says that as many of the first items were written. */
  written(count: number): void;
  /** Settles when everything that was added before is written or dropped. */
  flush(): Promise<void>;
  /** Flushes; what is added later is dropped. */
  close(): Promise<void>;
}

/** A batch that storage refused this often is given up, so that one bad item does not hold all others. */
const ATTEMPTS = 3;

/** Makes a writer at rest. */
export function createBatchWriter<Item>(config: BatchWriterConfig<Item>): BatchWriter<Item> {
  const { clock, write, maxWaiting = 10_000, batch = 400, delayMs = 200, onError } = config;
  const { maxSize = 64 * 1024 * 1024, passes = () => false, sizeOf = () => 0 } = config;
  let waiting: Item[] = [];
  let size = 0;
  let dropped = 0;
  let failures = 0;
  let timer: unknown;
  let tail: Promise<void> = Promise.resolve();
  let closed = false;
  let busy = false;
  let writing = false;

  const remove = (count: number): void => {
    for (const item of waiting.slice(0, count)) size -= sizeOf(item);
    waiting = waiting.slice(count);
    if (waiting.length > 0) return;
    clock.clearTimer(timer);
    timer = undefined;
  };
  /** How many items are out of the queue, written or given up. */
  const writeFirst = async (insist: boolean): Promise<number> => {
    const items = waiting.slice(0, batch);
    writing = true;
    try {
      await write(items);
    } catch (error) {
      onError(error);
      // Who waits for the end does not wait until storage is back.
      if (!insist && passes(error)) return 0;
      failures += 1;
      if (failures < ATTEMPTS) return 0;
      dropped += items.length;
    } finally {
      writing = false;
    }
    failures = 0;
    remove(items.length);
    return items.length;
  };
  const writeAll = async (insist: boolean): Promise<void> => {
    busy = true;
    // What comes meanwhile waits for others again.
    let due = waiting.length;
    while (waiting.length > 0 && (due > 0 || waiting.length >= batch)) {
      const gone = await writeFirst(insist);
      if (gone === 0 && !insist) break;
      due -= gone;
      // SQLite writes while everything else stands still, so others get their turn between two batches.
      await setImmediate();
    }
    busy = false;
    if (waiting.length > 0) schedule();
  };
  const run = async (insist: boolean): Promise<void> => {
    clock.clearTimer(timer);
    timer = undefined;
    tail = tail.then(async () => writeAll(insist));
    await tail;
  };
  /** A batch is whole: not in the midst of what somebody waits for. */
  const runSoon = async (): Promise<void> => {
    await setImmediate();
    await run(false);
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
      if (waiting.length === batch && !busy) void runSoon();
      else schedule();
    },
    get dropped() {
      return dropped;
    },
    first: () => (writing ? [] : waiting.slice(0, batch)),
    written: (count: number) => {
      failures = 0;
      remove(count);
    },
    flush: async () => run(true),
    close: async () => {
      closed = true;
      await run(true);
    },
  });
}
