import Database from 'libsql';
import { createJournalHost, type EngineConfig } from '../journal-host.ts';
import type { DurableHost } from '../port.ts';
import type { SqliteDriver } from './sqlite-driver.ts';
import { createSqliteStore } from './sqlite-store.ts';

/** Where the journal is, beside what every engine needs. */
export interface SqliteEngineConfig extends EngineConfig {
  /** A file on a local disk, made when it is not there; or an open driver, which the engine closes. */
  readonly database: string | SqliteDriver;
}

/**
 * Durable runs in one SQLite file. Several processes may share it: each run is held by one of them at a time, and goes
 * to another one when its holder is silent for longer than its lease.
 *
 * @throws Error for a file that is not a journal.
 */
export function createSqliteEngine({ database, ...config }: SqliteEngineConfig): DurableHost {
  const driver = typeof database === 'string' ? openLibsql(database) : database;
  return createJournalHost(createSqliteStore(driver), config);
}

/** The declarations of `libsql` say less than it does; this is the one place that knows. */
export function openLibsql(path: string): SqliteDriver {
  return new Database(path) as unknown as SqliteDriver;
}
