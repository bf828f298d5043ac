import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** A place where databases for tests come from. */
export interface StorageEngine {
  readonly name: string;
  start(): Promise<void>;
  /** The URL of an empty database. */
  createUrl(): Promise<string>;
  stop(): Promise<void>;
}

function sqliteEngine(): StorageEngine {
  let folder = '';
  let files = 0;
  return {
    name: 'SQLite',
    start: async () => {
      folder = mkdtempSync(join(tmpdir(), 'tg-sqlite-'));
    },
    createUrl: async () => {
      files += 1;
      return `sqlite:${join(folder, `${files}.db`)}`;
    },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** One server for all test files of a worker: starting it takes longer than most of them. */
let shared: Promise<PostgresServer> | undefined;

function postgresEngine(): StorageEngine {
  let server: PostgresServer | undefined;
  return {
    name: 'PostgreSQL',
    start: async () => {
      shared ??= startPostgres();
      server = await shared;
    },
    createUrl: async () => {
      if (server === undefined) throw new Error('the server was not started');
      return server.createDatabase();
    },
    // It ends with this process.
    stop: async () => undefined,
  };
}

/** Every kind of database that the gateway runs on; the same tests run on all of them. */
export const storageEngines: readonly StorageEngine[] = [sqliteEngine(), postgresEngine()];
