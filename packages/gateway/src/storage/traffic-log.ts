import { systemClock } from '@toolgate/core';
import type { PageRequest } from '../ports/page.ts';
import type { TrafficEntry, TrafficFilter, TrafficLog } from '../ports/traffic-log.ts';
import { readEntry, writeContents, writeEntry } from './json-entry.ts';
import { DEFAULT_RETENTION_MS, type LogConfig } from './log-config.ts';
import { createLogWriter, type LogRow } from './log-writer.ts';
import { mendText } from './mend-text.ts';
import { pageLimit, readPosition, toPage, writePosition } from './page.ts';
import { pruneRows } from './prune-rows.ts';
import { repeat } from './repeat.ts';
import { createRowInsert } from './row-insert.ts';
import type { ColumnValue } from './steps.ts';
import type { TrafficTable } from './tables.ts';

/** Characters of what is searched for. */
const COLUMN_LENGTH = 256;
/** What is stored of each request; contents only where they are kept. */
const COLUMNS = ['id', 'at', 'principal', 'route', 'surface', 'entry'] as const;

/** Opens the log of requests of a database. It does not close the storage. */
export function createTrafficLog(config: LogConfig): TrafficLog {
  const { storage, clock = systemClock, contents = false, onError = () => undefined } = config;
  const { retentionMs = DEFAULT_RETENTION_MS, pruneMs = 3_600_000, maxWaiting = 10_000 } = config;
  const insert = createRowInsert({
    table: 'toolgate_traffic',
    columns: contents ? [...COLUMNS, 'contents'] : COLUMNS,
    duplicates: 'ignore',
  });
  const writer = createLogWriter<TrafficEntry>({
    storage,
    clock,
    insert,
    toRow: (entry) => toRow(entry, contents),
    maxWaiting,
    onError,
  });
  const prune = async (): Promise<void> => pruneRows(storage, 'toolgate_traffic', clock.now() - retentionMs);
  const pruning = repeat(clock, pruneMs, prune, onError);

  return Object.freeze({
    record: (entry: TrafficEntry) => writer.record(entry),
    list: async (filter: TrafficFilter = {}, page: PageRequest = {}) => {
      const limit = pageLimit(page);
      const rows = await storage.read(async (database) => {
        let query = database.selectFrom('toolgate_traffic').selectAll();
        for (const column of ['principal', 'route', 'surface'] as const) {
          const wanted = filter[column];
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
        database.selectFrom('toolgate_traffic').selectAll().where('id', '=', id).executeTakeFirst(),
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

function toRow(entry: TrafficEntry, contents: boolean): LogRow {
  const { id, at, principal, request, response, route, surface } = entry;
  const row: ColumnValue[] = [
    mendText(id, COLUMN_LENGTH),
    Math.floor(at),
    principal === undefined ? null : mendText(principal, COLUMN_LENGTH),
    route === undefined ? null : mendText(route, COLUMN_LENGTH),
    surface,
    writeEntry(withoutContents(entry)),
  ];
  if (contents) row.push(writeContents({ request, response }));
  return row;
}

/** Contents have a column of their own; most entries have none. */
function withoutContents(entry: TrafficEntry): object {
  if (entry.request === undefined && entry.response === undefined) return entry;
  const { request: _request, response: _response, ...bare } = entry;
  return bare;
}

function toEntry(row: TrafficTable): TrafficEntry {
  return readEntry<TrafficEntry>(row.entry, row.contents);
}
