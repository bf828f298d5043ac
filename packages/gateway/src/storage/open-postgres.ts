import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

/** The type number of `bigint`, which the driver would give as text. */
const INT8 = 20;

/** A statement or an idle transaction that holds others up for longer than this is ended by the server. */
const PATIENCE_MS = 15_000;

/**
 * A dialect over PostgreSQL.
 *
 * @param url - A connection string; what it says about timeouts wins.
 * @param onError - Hears of connections that broke while nobody used them; the next query makes a new one.
 */
export function postgresDialect(url: string, onError: (error: unknown) => void): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: PATIENCE_MS,
    statement_timeout: PATIENCE_MS,
    application_name: 'toolgate',
    // Sequence numbers and times stay far below 2^53.
    types: { getTypeParser: (id, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)) },
  });
  pool.on('error', onError);
  return new PostgresDialect({ pool });
}
