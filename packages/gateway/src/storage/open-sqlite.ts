import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Libsql from 'libsql';

/** The part of the binding that is used; its own declarations say less than it does. */
interface Binding {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** How long a statement waits inside the driver, where the whole process stands still: for others that open the file. */
const PATIENCE = 'PRAGMA busy_timeout = 2000';
const NO_PATIENCE = 'PRAGMA busy_timeout = 0';

/** A commit is on the disk when it returns. */
export const COMMIT_NOW = 'PRAGMA synchronous = FULL';
/** A commit is on the disk with the next one that is, or a little later; the file stays whole in any case. */
export const COMMIT_LATER = 'PRAGMA synchronous = NORMAL';

/**
 * A dialect over one SQLite file. Several processes may share it on a local disk.
 *
 * @param path - `:memory:`, or a file; its folder is made.
 */
export function sqliteDialect(path: string): Dialect {
  return new SqliteDialect({ database: async () => openDatabase(path) });
}

function openDatabase(path: string): SqliteDatabase {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const database = new Libsql(path) as unknown as Binding;
  try {
    database.exec(PATIENCE);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(COMMIT_NOW);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    close: () => void database.close(),
    prepare: (sql) => CONTROL.get(sql)?.(database) ?? database.prepare(sql),
  };
}

/**
 * Statements around transactions. The binding leaves a prepared statement that the file was busy for half
 * done, and then no transaction of the connection can be committed any more; `exec` does not.
 */
const CONTROL: ReadonlyMap<string, (database: Binding) => SqliteStatement> = new Map([
  ['begin', (database: Binding) => statement(() => begin(database))],
  ['commit', (database: Binding) => statement(() => database.exec('COMMIT'))],
  ['rollback', (database: Binding) => statement(() => database.exec('ROLLBACK'))],
  [COMMIT_NOW, (database: Binding) => statement(() => database.exec(COMMIT_NOW))],
  [COMMIT_LATER, (database: Binding) => statement(() => database.exec(COMMIT_LATER))],
]);

/**
 * Takes the file for writing at once: every transaction here writes, and one that began by reading could not wait for
 * another process. It waits outside, see `retryBusy`.
 */
function begin(database: Binding): void {
  database.exec(NO_PATIENCE);
  try {
    database.exec('BEGIN IMMEDIATE');
  } finally {
    database.exec(PATIENCE);
  }
}

function statement(run: () => unknown): SqliteStatement {
  return {
    reader: false,
    all: () => [],
    iterate: () => [].values(),
    run: () => {
      run();
      return { changes: 0, lastInsertRowid: 0 };
    },
  };
}
