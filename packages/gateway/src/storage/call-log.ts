import { systemClock } from '@toolgate/core';
import type { CallEntry, CallFilter, CallLog } from '../ports/call-log.ts';
import type { PageRequest } from '../ports/page.ts';
import { createBatchWriter } from './batch-writer.ts';
import { readEntry, writeContents, writeEntry } from './json-entry.ts';
import { DEFAULT_RETENTION_MS, type LogConfig } from './log-config.ts';
import { mendText } from './mend-text.ts';
import { pageLimit, readPosition, toPage, writePosition } from './page.ts';
import { pruneRows } from './prune-rows.ts';
import { repeat } from './repeat.ts';
import type { CallTable } from './tables.ts';

/** Characters of what is searched for. */
const COLUMN_LENGTH = 256;

/** Opens the log of calls of a database. It does not close the storage. */
export function createCallLog(config: LogConfig): CallLog {
  const { storage, clock = systemClock, contents = false, onError = () => undefined } = config;
  const { retentionMs = DEFAULT_RETENTION_MS, pruneMs = 3_600_000, maxWaiting = 10_000 } = config;
  const writer = createBatchWriter<CallEntry>({
    clock,
    maxWaiting,
    onError,
    write: async (entries) => {
      const rows = entries.map((entry) => toRow(entry, contents));
      await storage.writeSoon(async (transaction) => {
        await transaction
          .insertInto('toolgate_calls')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    },
  });
  const prune = async (): Promise<void> => pruneRows(storage, 'toolgate_calls', clock.now() - retentionMs);
  const pruning = repeat(clock, pruneMs, prune, onError);

  return Object.freeze({
    record: (entry: CallEntry) => writer.add(entry),
    list: async (filter: CallFilter = {}, page: PageRequest = {}) => {
      const limit = pageLimit(page);
      const rows = await storage.read(async (database) => {
        let query = database.selectFrom('toolgate_calls').selectAll();
        for (const [column, wanted] of [
          ['principal', filter.principal],
          ['place', filter.place],
          ['tool', filter.tool],
          ['verdict', filter.verdict],
          ['request_id', filter.requestId],
        ] as const) {
          if (wanted !== undefined) query = query.where(column, '=', mendText(wanted, COLUMN_LENGTH));
        }
        if (filter.since !== undefined) query = query.where('at', '>=', filter.since);
        const from = readPosition(page.cursor);
        if (from !== undefined) {
          query = query.where((column) =>
            column.or([
              column('at', '<', from.at),
              column.and([column('at', '=', from.at), column('id', '<', from.id)]),
            ]),
          );
        }
        return query
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit + 1)
          .execute();
      });
      return toPage(rows, limit, (row) => [toEntry(row)], writePosition);
    },
    get: async (id: string) => {
      const row = await storage.read(async (database) =>
        database.selectFrom('toolgate_calls').selectAll().where('id', '=', id).executeTakeFirst(),
      );
      return row === undefined ? undefined : toEntry(row);
    },
    get dropped() {
      return writer.dropped;
    },
    flush: async () => writer.flush(),
    close: async () => {
      await pruning.stop();
      await writer.close();
    },
  });
}

function toRow({ arguments: args, result, ...entry }: CallEntry, contents: boolean): CallTable {
  return {
    id: mendText(entry.id, COLUMN_LENGTH),
    at: Math.floor(entry.at),
    principal: mendText(entry.principal, COLUMN_LENGTH),
    place: mendText(entry.place, COLUMN_LENGTH),
    tool: mendText(entry.tool, COLUMN_LENGTH),
    verdict: entry.verdict,
    request_id: mendText(entry.requestId, COLUMN_LENGTH),
    entry: writeEntry(entry),
    contents: contents ? writeContents({ arguments: args, result }) : null,
  };
}

function toEntry(row: CallTable): CallEntry {
  return readEntry<CallEntry>(row.entry, row.contents);
}
