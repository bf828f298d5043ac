import type { Clock } from '@toolgate/core';
import { createBatchWriter } from './batch-writer.ts';
import type { RowInsert } from './row-insert.ts';
import type { ColumnValue } from './steps.ts';
import type { Storage } from './storage.ts';

/** The values of one row of a log, in the order of its columns. */
export type LogRow = readonly ColumnValue[];

/** What the writer of a log needs. */
export interface LogWriterConfig<Entry> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly insert: RowInsert;
  readonly toRow: (entry: Entry) => LogRow;
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
export function createLogWriter<Entry>(config: LogWriterConfig<Entry>): LogWriter<Entry> {
  const { clock, insert, maxWaiting, onError, storage, toRow } = config;
  let unwritable = 0;
  const writer = createBatchWriter<LogRow>({
    clock,
    maxWaiting,
    onError,
    sizeOf: sizeOfRow,
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
        writer.add(toRow(entry));
      } catch (error) {
        unwritable += 1;
        onError(error);
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

/** The values of all rows in one list; `flat` takes several times as long. */
function valuesOf(rows: readonly LogRow[]): readonly ColumnValue[] {
  const values: ColumnValue[] = [];
  for (const row of rows) for (const value of row) values.push(value);
  return values;
}

/** What a row takes while it waits, in UTF-16 units: its texts, and something for the rest. */
function sizeOfRow(row: LogRow): number {
  let size = REST;
  for (const value of row) if (typeof value === 'string') size += value.length;
  return size;
}

const REST = 200;
const SOON = { soon: true, together: true } as const;
