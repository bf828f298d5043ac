/**
 * The part of an SQLite binding that the journal uses. `libsql`, `better-sqlite3` and `node:sqlite` all have it; every
 * call is synchronous.
 */
export interface SqliteDriver {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** One prepared statement; parameters are positional. */
export interface SqliteStatement {
  run(...parameters: readonly SqliteValue[]): { readonly changes: number | bigint };
  get(...parameters: readonly SqliteValue[]): unknown;
  all(...parameters: readonly SqliteValue[]): readonly unknown[];
}

/** What the journal stores. */
export type SqliteValue = string | number | null;
