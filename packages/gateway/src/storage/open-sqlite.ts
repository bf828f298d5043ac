import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Libsql from 'libsql';
import { createKeptStatements, type KeptStatements } from './kept-statements.ts';
import { sameFile } from './same-file.ts';
import { runStepsNow, type Statement, type Steps } from './steps.ts';

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
const COMMIT_NOW = 'PRAGMA synchronous = FULL';
/** A commit is on the disk with the next one that is, or a little later; the file stays whole in any case. */
const COMMIT_LATER = 'PRAGMA synchronous = NORMAL';

/** A SQLite file, opened with the first statement. */
export interface SqliteFile {
  readonly dialect: Dialect;
  /** Throws when the file is not the one any more that was opened. */
  readonly check: () => void;
  /**
   * Takes steps in a transaction, all at once. Only for who holds the connection.
   *
   * @param make - Makes the steps when the transaction has begun.
   * @param soon - Whether they may be lost with the power.
   */
  readonly transact: <Result>(make: () => Steps<Result>, soon: boolean) => Result;
}

/**
 * A dialect over one SQLite file. Several processes may share it on a local disk.
 *
 * @param path - `:memory:`, or a file. It and its folder are made for nobody else to read.
 * @param existing - Makes nothing, and leaves the file as it is until something is written.
 */
export function sqliteFile(path: string, existing: boolean): SqliteFile {
  let check = (): void => undefined;
  let opened: OpenedDatabase | undefined;
  const database = async (): Promise<SqliteDatabase> => {
    opened = openDatabase(path, existing, () => check());
    if (path !== MEMORY) check = sameFile(path);
    return opened;
  };
  return {
    dialect: new SqliteDialect({ database }),
    check: () => check(),
    transact: (make, soon) => {
      if (opened === undefined) throw new TypeError('Nobody holds the connection.');
      return opened.transact(make, soon);
    },
  };
}

type OpenedDatabase = SqliteDatabase & Pick<SqliteFile, 'transact'>;

const MEMORY = ':memory:';

function openDatabase(path: string, existing: boolean, check: () => void): OpenedDatabase {
  if (existing) closeSync(openSync(path, 'r'));
  else if (path !== MEMORY) makeFile(path);
  const database = new Libsql(path) as unknown as Binding;
  try {
    database.exec(PATIENCE);
    if (!existing) database.exec('PRAGMA journal_mode = WAL');
    database.exec(COMMIT_NOW);
    // The log is made by whoever reads first.
    database.exec('SELECT 1 FROM sqlite_master');
  } catch (error) {
    database.close();
    throw error;
  }
  const kept = createKeptStatements((sql) => database.prepare(sql));
  return {
    close: () => {
      kept.clear();
      if (!existing) emptyLog(database, check);
      database.close();
    },
    prepare: (sql) => CONTROL.get(sql)?.(database, check) ?? kept.of(sql),
    transact: (make, soon) => {
      if (soon) database.exec(COMMIT_LATER);
      try {
        return transact(database, check, () => runStepsNow((statement) => run(kept, statement), make()));
      } finally {
        if (soon) database.exec(COMMIT_NOW);
      }
    },
  };
}

function transact<Result>(database: Binding, check: () => void, work: () => Result): Result {
  begin(database, check);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: Binding): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // The database has done it by itself, as it does when the disk is full; the first error says why.
  }
}

function run(kept: KeptStatements, { parameters, sql }: Statement): readonly unknown[] {
  const statement = kept.of(sql);
  if (statement.reader) return statement.all([...parameters]);
  statement.run([...parameters]);
  return [];
}

/**
 * Brings what is in the log beside the file into the file, so that a copy of it holds everything. The binding closes the
 * file itself only when all of its statements were collected, which no process waits for.
 */
function emptyLog(database: Binding, check: () => void): void {
  try {
    check();
    database.exec(NO_PATIENCE);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Another process uses it or took it away: the log is as good.
  }
}

/** What is in a database is nobody else's to read; the files beside it are made with the same mode. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

/**
 * Statements around transactions. The binding leaves a prepared statement that the file was busy for half
 * done, and then no transaction of the connection can be committed any more; `exec` does not.
 */
const CONTROL: ReadonlyMap<string, (database: Binding, check: () => void) => SqliteStatement> = new Map([
  ['begin', (database, check) => statement(() => begin(database, check))],
  ['commit', (database) => statement(() => database.exec('COMMIT'))],
  ['rollback', (database) => statement(() => database.exec('ROLLBACK'))],
]);

/**
 * Takes the file for writing at once: every transaction here writes, and one that began by reading could not wait for
 * another process. It waits outside, see `retryBusy`.
 */
function begin(database: Binding, check: () => void): void {
  check();
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
