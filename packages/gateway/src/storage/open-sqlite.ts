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

/** How long the first look at a file waits for others that do the same, in milliseconds. */
const OPENING_MS = 5_000;

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
    database.exec(`PRAGMA busy_timeout = ${OPENING_MS}`);
    database.exec('PRAGMA journal_mode = WAL');
    // A commit is on the disk when it returns; WAL alone would promise only that the file stays whole.
    database.exec('PRAGMA synchronous = FULL');
    // From here on nobody waits inside the driver, where the whole process would stand still; see `retryBusy`.
    database.exec('PRAGMA busy_timeout = 0');
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    close: () => void database.close(),
    // Every transaction here writes. One that began by reading could not wait for another process: it would fail.
    prepare: (sql) => database.prepare(sql === 'begin' ? 'begin immediate' : sql),
  };
}
