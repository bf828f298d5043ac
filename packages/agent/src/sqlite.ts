/**
 * Durable runs in one SQLite file.
 *
 * @packageDocumentation
 */
export type { SqliteDriver, SqliteStatement, SqliteValue } from './durable/sqlite/sqlite-driver.ts';
export { createSqliteEngine, type SqliteEngineConfig } from './durable/sqlite/sqlite-engine.ts';
