import { systemClock } from '@toolgate/core';
import type { PageRequest } from '../ports/page.ts';
import type { TrafficEntry, TrafficFilter, TrafficLog } from '../ports/traffic-log.ts';
import { readEntry, writeEntry } from './json-entry.ts';
import { DEFAULT_RETENTION_MS, type LogConfig } from './log-config.ts';
import { createLogWriter, type Kept } from './log-writer.ts';
import { mendText } from './mend-text.ts';
import { pageLimit, readPosition, toPage, writePosition } from './page.ts';
import { pruneRows } from './prune-rows.ts';
import { repeat } from './repeat.ts';
import { createRowInsert } from './row-insert.ts';
import type { ColumnValue } from './steps.ts';
import type { TrafficTable } from './tables.ts';

/** Characters of what is searched for. */
const COLUMN_LENGTH = 256;
const COLUMNS = ['id', 'at', 'principal', 'route', 'surface', 'entry'] as const;

/** Opens the log of requests of a database. It does not close the storage. */
export function createTrafficLog(config: Omit<LogConfig, 'contents'>): TrafficLog {
  const { storage, clock = systemClock, onError = () => undefined } = config;
  const { retentionMs = DEFAULT_RETENTION_MS, pruneMs = 3_600_000, maxWaiting = 10_000 } = config;
  const insert = createRowInsert({
    table: 'toolgate_traffic',
    columns: COLUMNS,
    duplicates: 'ignore',
  });
  const writer = createLogWriter<TrafficEntry, KeptRequest>({
    storage,
    clock,
    insert,
    keep,
    addValues,
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

/** All that is written about a request. */
interface KeptRequest extends Kept {
  readonly id: string;
  readonly at: number;
  readonly principal: string | undefined;
  readonly route: string | undefined;
  readonly surface: TrafficEntry['surface'];
  readonly rest: { readonly [Name in RestName]: TrafficEntry[Name] | undefined };
}

/** What has no column. */
type RestName = Exclude<keyof TrafficEntry, 'id' | 'at' | 'principal' | 'route' | 'surface'>;

function keep(entry: TrafficEntry): KeptRequest {
  const { candidate, error, finish, id, keyId, losses, model, principal, route } = entry;
  let size = SIZE + id.length;
  for (const text of [candidate, error, finish, keyId, model, principal, route]) size += text?.length ?? 0;
  for (const failure of entry.failures ?? []) size += LOSS_SIZE + failure.candidate.length;
  for (const { detail, path } of losses) size += LOSS_SIZE + detail.length + path.length;
  return {
    size,
    id,
    at: entry.at,
    principal,
    route,
    surface: entry.surface,
    rest: {
      keyId,
      model,
      candidate,
      attempts: entry.attempts,
      failures: entry.failures,
      streamed: entry.streamed,
      status: entry.status,
      error,
      finish,
      usage: entry.usage,
      losses: [...losses],
      durationMs: entry.durationMs,
      firstByteMs: entry.firstByteMs,
      requestBytes: entry.requestBytes,
      responseBytes: entry.responseBytes,
      calls: entry.calls,
      generation: entry.generation,
    },
  };
}

/** What a request takes besides its texts, and what each of its losses and failures does. */
const SIZE = 500;
const LOSS_SIZE = 100;

function addValues(values: ColumnValue[], row: KeptRequest): void {
  const { rest, surface } = row;
  const id = mendText(row.id, COLUMN_LENGTH);
  const at = Math.floor(row.at);
  const principal = row.principal === undefined ? undefined : mendText(row.principal, COLUMN_LENGTH);
  const route = row.route === undefined ? undefined : mendText(row.route, COLUMN_LENGTH);
  const isSaid = id === row.id && at === row.at && principal === row.principal && route === row.route;
  // What its column says already takes no second place.
  const entry = isSaid
    ? rest
    : { id: row.id, at: row.at, principal: row.principal, route: row.route, ...rest };
  values.push(id, at, principal ?? null, route ?? null, surface, writeEntry(entry));
}

function toEntry({ at, entry, id, principal, route, surface }: TrafficTable): TrafficEntry {
  return readEntry<TrafficEntry>({ id, at, surface, principal, route }, entry);
}
