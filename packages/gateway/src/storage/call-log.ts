import { systemClock } from '@toolgate/core';
import type { CallEntry, CallFilter, CallLog } from '../ports/call-log.ts';
import type { PageRequest } from '../ports/page.ts';
import { readEntry, writeContents, writeEntry } from './json-entry.ts';
import { DEFAULT_RETENTION_MS, type LogConfig } from './log-config.ts';
import { createLogWriter, type Kept } from './log-writer.ts';
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
  const writer = createLogWriter<CallEntry, KeptCall>({
    storage,
    clock,
    insert,
    keep: (entry) => keep(entry, contents),
    addValues: contents ? addAllValues : addValues,
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

/** All that is written about a call. */
interface KeptCall extends Kept, Pick<CallEntry, ColumnName> {
  readonly rest: { readonly [Name in RestName]: CallEntry[Name] | undefined };
  readonly contents: string | null;
}

type ColumnName = 'id' | 'at' | 'principal' | 'place' | 'tool' | 'verdict' | 'requestId';
/** What has no column. */
type RestName = Exclude<keyof CallEntry, ColumnName | 'arguments' | 'result'>;

function keep(entry: CallEntry, contents: boolean): KeptCall {
  const { callId, detail, id, keyId, place, principal, reason, requestId, tool } = entry;
  const written = contents ? writeContents({ arguments: entry.arguments, result: entry.result }) : null;
  const texts = id.length + requestId.length + place.length + principal.length + tool.length + callId.length;
  return {
    size: SIZE + texts + keyId.length + (detail?.length ?? 0) + (written?.length ?? 0),
    id,
    at: entry.at,
    principal,
    place,
    tool,
    verdict: entry.verdict,
    requestId,
    rest: {
      origin: entry.origin,
      keyId,
      callId,
      class: entry.class,
      reason,
      detail,
      contractDigest: entry.contractDigest,
      argumentsDigest: entry.argumentsDigest,
      argumentsBytes: entry.argumentsBytes,
      approvalId: entry.approvalId,
      durationMs: entry.durationMs,
    },
    contents: written,
  };
}

/** What a call takes besides its longer texts. */
const SIZE = 500;

function addAllValues(values: ColumnValue[], row: KeptCall): void {
  addValues(values, row);
  values.push(row.contents);
}

function addValues(values: ColumnValue[], row: KeptCall): void {
  const { rest, verdict } = row;
  const id = mendText(row.id, COLUMN_LENGTH);
  const at = Math.floor(row.at);
  const principal = mendText(row.principal, COLUMN_LENGTH);
  const place = mendText(row.place, COLUMN_LENGTH);
  const tool = mendText(row.tool, COLUMN_LENGTH);
  const requestId = mendText(row.requestId, COLUMN_LENGTH);
  const areOurs = id === row.id && at === row.at && requestId === row.requestId && place === row.place;
  // What its column says already takes no second place.
  const isSaid = areOurs && principal === row.principal && tool === row.tool;
  values.push(id, at, principal, place, tool, verdict, requestId, writeEntry(isSaid ? rest : whole(row)));
}

function whole({ at, id, place, principal, requestId, rest, tool }: KeptCall): object {
  return { id, at, requestId, place, principal, tool, ...rest };
}

function toEntry({ contents, entry, request_id: requestId, ...columns }: CallTable): CallEntry {
  return readEntry<CallEntry>({ ...columns, requestId }, entry, contents);
}
