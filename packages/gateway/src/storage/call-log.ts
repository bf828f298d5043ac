import { systemClock } from '@toolgate/core';
import type { CallEntry, CallFilter, CallLog } from '../ports/call-log.ts';
import type { PageRequest } from '../ports/page.ts';
import { readEntry, writeContents, writeEntry } from './json-entry.ts';
import { DEFAULT_RETENTION_MS, type LogConfig } from './log-config.ts';
import { createLogWriter, type LogRow } from './log-writer.ts';
import { mendText } from './mend-text.ts';
import { pageLimit, readPosition, toPage, writePosition } from './page.ts';
import { pruneRows } from './prune-rows.ts';
import { repeat } from './repeat.ts';
import { createRowInsert } from './row-insert.ts';
import type { ColumnValue } from './steps.ts';
import type { CallTable } from './tables.ts';

/** Characters of what is searched for. */
const COLUMN_LENGTH = 256;
/** What is stored of each call; contents only where they are kept. */
const COLUMNS = ['id', 'at', 'principal', 'place', 'tool', 'verdict', 'request_id', 'entry'] as const;

/** Opens the log of calls of a database. It does not close the storage. */
export function createCallLog(config: LogConfig): CallLog {
  const { storage, clock = systemClock, contents = false, onError = () => undefined } = config;
  const { retentionMs = DEFAULT_RETENTION_MS, pruneMs = 3_600_000, maxWaiting = 10_000 } = config;
  const insert = createRowInsert({
    table: 'toolgate_calls',
    columns: contents ? [...COLUMNS, 'contents'] : COLUMNS,
    duplicates: 'ignore',
  });
  const writer = createLogWriter<CallEntry>({
    storage,
    clock,
    insert,
    toRow: (entry) => toRow(entry, contents),
    maxWaiting,
    onError,
  });
  const prune = async (): Promise<void> => pruneRows(storage, 'toolgate_calls', clock.now() - retentionMs);
  const pruning = repeat(clock, pruneMs, prune, onError);

  return Object.freeze({
    record: (entry: CallEntry) => writer.record(entry),
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

function toRow(entry: CallEntry, contents: boolean): LogRow {
  const { id, at, principal, place, tool, verdict, requestId } = entry;
  const row: ColumnValue[] = [
    mendText(id, COLUMN_LENGTH),
    Math.floor(at),
    mendText(principal, COLUMN_LENGTH),
    mendText(place, COLUMN_LENGTH),
    mendText(tool, COLUMN_LENGTH),
    verdict,
    mendText(requestId, COLUMN_LENGTH),
    writeEntry(withoutContents(entry)),
  ];
  if (contents) row.push(writeContents({ arguments: entry.arguments, result: entry.result }));
  return row;
}

/** Contents have a column of their own; most entries have none. */
function withoutContents(entry: CallEntry): object {
  if (entry.arguments === undefined && entry.result === undefined) return entry;
  const { arguments: _arguments, result: _result, ...bare } = entry;
  return bare;
}

function toEntry(row: CallTable): CallEntry {
  return readEntry<CallEntry>(row.entry, row.contents);
}
