import type { Clock } from '@toolgate/core';
import { createBatchWriter } from './batch-writer.ts';
import type { RowInsert } from './row-insert.ts';
import type { ColumnValue } from './steps.ts';
import type { Storage } from './storage.ts';
import { isOutage } from './storage-fault.ts';

/** What is kept of an entry until it is written. */
export interface Kept {
  /** What it takes while it waits, in UTF-16 units: its texts, and something for the rest. */
  readonly size: number;
}

/** What the writer of a log needs. */
export interface LogWriterConfig<Entry, Row extends Kept> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly insert: RowInsert;
  /** A copy of what an entry says, since it may change afterwards. All copies are alike, which makes them cheap. */
  readonly keep: (entry: Entry) => Row;
  /** Adds the values of a row, in the order of its columns. A whole batch at once takes a fraction of what each by itself does. */
  readonly addValues: (values: ColumnValue[], row: Row) => void;
  /** Entries that may wait; more are counted and dropped. */
  readonly maxWaiting: number;
  readonly onError: (error: unknown) => void;
}

/** Writes entries of a log in batches, as what they say when they are recorded. */
export interface LogWriter<Entry> {
  /** Takes an entry, or counts it as dropped. Never throws. */
  record(entry: Entry): void;
  readonly dropped: number;
  /** Settles when everything that was recorded before is written or dropped. */
  flush(): Promise<void>;
  /** Flushes; what is recorded later is dropped. */
  close(): Promise<void>;
}

/** Makes a writer at rest. What waits takes at most 64 Mi characters, whatever is kept of contents. */
export function createLogWriter<Entry, Row extends Kept>(
  config: LogWriterConfig<Entry, Row>,
): LogWriter<Entry> {
  const { addValues, clock, insert, keep, maxWaiting, onError, storage } = config;
  const faulty = new WeakSet<Row>();
  let unwritable = 0;
  const refuse = (error: unknown): void => {
    unwritable += 1;
    onError(error);
  };
  /** The values of all rows but those that have none. */
  const valuesOf = (rows: readonly Row[]): readonly ColumnValue[] => {
    const values: ColumnValue[] = [];
    for (const row of rows) {
      const before = values.length;
      try {
        addValues(values, row);
      } catch (error) {
        values.length = before;
        // A batch may be tried again.
        if (faulty.has(row)) continue;
        faulty.add(row);
        refuse(error);
      }
    }
    return values;
  };
  const writer = createBatchWriter<Row>({
    clock,
    maxWaiting,
    onError,
    passes: isOutage,
    sizeOf: ({ size }) => size,
    write: async (rows) => storage.writeSteps((kind) => insert(kind, valuesOf(rows)), SOON),
  });
  let boarded = 0;
  const leave = storage.carry({
    board: (kind) => {
      const rows = writer.first();
      boarded = rows.length;
      return boarded === 0 ? undefined : insert(kind, valuesOf(rows));
    },
    arrive: () => writer.written(boarded),
  });
  return Object.freeze({
    record: (entry: Entry) => {
      try {
        writer.add(keep(entry));
      } catch (error) {
        refuse(error);
      }
    },
    get dropped() {
      return writer.dropped + unwritable;
    },
    flush: async () => writer.flush(),
    close: async () => {
      await writer.close();
      leave();
    },
  });
}

const SOON = { soon: true, together: true } as const;
