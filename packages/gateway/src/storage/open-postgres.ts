import { Socket } from 'node:net';
import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

/** The type number of `bigint`, which the driver would give as text. */
const INT8 = 20;

/** A statement or an idle transaction that holds others up for longer than this is ended by the server. */
const PATIENCE_MS = 15_000;
/** How long the server may take besides to say so. */
const SLACK_MS = 2_000;

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
    stream: () => createSocket(silenceOf(url)),
    // Sequence numbers and times stay far below 2^53.
    types: { getTypeParser: (id, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)) },
  });
  pool.on('error', onError);
  // While a connection is in use the pool does not listen to it, and its end would be the end of the process. Who uses it hears of
  // that from the statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new PostgresDialect({ pool });
}

/**
 * A connection that breaks when it is silent for longer than any statement takes. A network that drops connections without a
 * word would hold up whoever has one for a quarter of an hour; connections that nobody has are closed before.
 */
function createSocket(silenceMs: number): Socket {
  const socket = new Socket();
  socket.setKeepAlive(true);
  // 0 is for ever.
  socket.setTimeout(silenceMs, () => socket.destroy());
  return socket;
}

/** Where the address lets statements take longer, so may the silence. */
function silenceOf(url: string): number {
  const [, given] = /[?&]statement_timeout=(\d{1,9})(?:&|$)/.exec(url) ?? [];
  const longestMs = given === undefined ? PATIENCE_MS : Number(given);
  return longestMs === 0 ? 0 : longestMs + SLACK_MS;
}
