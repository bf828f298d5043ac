import { setTimeout } from 'node:timers/promises';
import { Kysely, Migrator, sql } from 'kysely';
import { GatewayError } from '../ports/gateway-error.ts';
import { migrations } from './migrations.ts';
import { type SqliteFile, sqliteFile } from './open-sqlite.ts';
import { type Passenger, transactTogether } from './passengers.ts';
import { retryBusy } from './retry-busy.ts';
import { runSteps, type Steps } from './steps.ts';
import type { Storage, WriteStepsOptions } from './storage.ts';
import { storageFault } from './storage-fault.ts';
import type { StorageKind } from './storage-kind.ts';
import type { Database, Tables, Write } from './tables.ts';
import { textsAsBytes } from './texts-as-bytes.ts';

/** Settings of {@link openStorage}. */
export interface OpenStorageOptions {
  /** Hears of faults that nobody waits for, such as a broken idle connection. */
  readonly onError?: (error: unknown) => void;
  /** Takes the database as it is: no file is made, and no table. Default `false`. */
  readonly existing?: boolean;
}

/**
 * Opens the database behind a URL and brings its tables up to date. Several gateways may do so at the same moment.
 *
 * @param url - `sqlite:<path>`, `sqlite::memory:`, `postgres://…` or `postgresql://…`.
 * @throws GatewayError `gateway/storage-invalid` for another URL, for a database that a newer edition has changed, or for
 * one without an audit where it has to be there;
 * `gateway/storage-unavailable` when it cannot be reached. Neither shows the URL.
 */
export async function openStorage(url: string, options: OpenStorageOptions = {}): Promise<Storage> {
  const { existing = false, onError = () => undefined } = options;
  const kind = kindOf(url);
  const opened = await openDatabase(url, kind, existing, onError);
  const { database } = opened;
  try {
    await (existing ? requireAudit(database) : migrate(database, kind));
    const read = kind === 'sqlite' ? await withTextsAsBytes(database) : database;
    return toStorage({ ...opened, database: read }, kind, onError);
  } catch (error) {
    await database.destroy().catch(onError);
    throw storageFault(error);
  }
}

/** Attempts to bring the tables up to date, and the pause between two; about a second. */
const ATTEMPTS = 20;
const PAUSE_MS = 50;

function kindOf(url: string): StorageKind {
  if (/^sqlite:./.test(url)) return 'sqlite';
  if (/^postgres(?:ql)?:\/\//.test(url)) return 'postgres';
  throw new GatewayError(
    'gateway/storage-invalid',
    'A storage URL is sqlite:<path>, sqlite::memory: or postgres://…',
  );
}

/** A database, and a look whether it is still the one that was opened. */
interface Opened {
  readonly database: Database;
  readonly check: () => void;
  /** Takes steps on the one connection, where there is only one. */
  readonly transact: SqliteFile['transact'] | undefined;
}

async function openDatabase(
  url: string,
  kind: StorageKind,
  existing: boolean,
  onError: (error: unknown) => void,
): Promise<Opened> {
  if (kind === 'postgres') {
    // Loaded by those who have one: the driver takes ten megabytes.
    const { postgresDialect } = await import('./open-postgres.ts');
    const database = new Kysely<Tables>({ dialect: postgresDialect(url, onError) });
    return { database, check: () => undefined, transact: undefined };
  }
  const { check, dialect, transact } = sqliteFile(url.slice('sqlite:'.length), existing);
  return { database: new Kysely<Tables>({ dialect }), check, transact };
}

/** Tables that were dropped must not look like a gateway that never did anything. */
async function requireAudit(database: Database): Promise<void> {
  const tables = await retryBusy(async () => database.introspection.getTables());
  const names = new Set(tables.map(({ name }) => name));
  if (names.has('toolgate_audit') && names.has('toolgate_audit_head')) return;
  throw new GatewayError('gateway/storage-invalid', 'The database holds no audit of a gateway.');
}

async function withTextsAsBytes(database: Database): Promise<Database> {
  const tables = await retryBusy(async () => database.introspection.getTables());
  const columns = tables.map((table) => [table.name, table.columns.map(({ name }) => name)] as const);
  return database.withPlugin(textsAsBytes(new Map(columns)));
}

async function migrate(database: Database, kind: StorageKind): Promise<void> {
  const steps = migrations(kind);
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => steps },
    migrationTableName: 'toolgate_migrations',
    migrationLockTableName: 'toolgate_migrations_lock',
  });
  // On SQLite, and while the table of the lock itself is made, gateways that start at once can get in each other's way:
  // one then finds that what it was about to make is there.
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
      throw new GatewayError(
        'gateway/storage-invalid',
        'The database was changed by another edition of the gateway.',
        { cause: error },
      );
    }
    if (attempt === ATTEMPTS) throw error;
    await setTimeout(PAUSE_MS);
  }
}

function toStorage(
  { check, database, transact }: Opened,
  kind: StorageKind,
  onError: (error: unknown) => void,
): Storage {
  let closing: Promise<void> | undefined;
  const passengers = new Set<Passenger>();
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) throw new GatewayError('gateway/closed', 'Storage is closed.');
    try {
      return await retryBusy(work);
    } catch (error) {
      throw storageFault(error);
    }
  };
  return Object.freeze({
    kind,
    read: async <Result>(work: (database: Database) => Promise<Result>) =>
      guarded(async () => work(database)),
    write: async <Result>(work: (transaction: Write) => Promise<Result>) =>
      guarded(async () => begin(database, kind).execute(work)),
    writeSteps: async <Result>(
      make: (kind: StorageKind) => Steps<Result>,
      { soon = false, together = false }: WriteStepsOptions = {},
    ) =>
      guarded(async () => {
        const steps = (): Steps<Result> => make(kind);
        // The connection is held, so that no other transaction is open on it.
        if (transact !== undefined) {
          const riders = together ? passengers : [];
          return database
            .connection()
            .execute(async () => transactTogether(steps, riders, kind, (all) => transact(all, soon)));
        }
        const work = async (transaction: Write): Promise<Result> => runSteps(transaction, steps());
        return soon ? writeSoonPostgres(database, work) : begin(database, kind).execute(work);
      }),
    carry: (passenger: Passenger) => {
      passengers.add(passenger);
      return () => passengers.delete(passenger);
    },
    ping: async () => {
      try {
        await guarded(async () => {
          check();
          await sql`select 1`.execute(database);
        });
        return true;
      } catch (error) {
        onError(error);
        return false;
      }
    },
    close: async () => {
      closing ??= database.destroy();
      return closing;
    },
  });
}

/**
 * Writers take turns by the row of the head, and each sees what was committed before its turn: a stricter default of the server
 * would refuse whoever waited.
 */
function begin(database: Database, kind: StorageKind): ReturnType<Database['transaction']> {
  const transaction = database.transaction();
  return kind === 'postgres' ? transaction.setIsolationLevel('read committed') : transaction;
}

async function writeSoonPostgres<Result>(
  database: Database,
  work: (transaction: Write) => Promise<Result>,
): Promise<Result> {
  return begin(database, 'postgres').execute(async (transaction) => {
    await sql`set local synchronous_commit = off`.execute(transaction);
    return work(transaction);
  });
}
