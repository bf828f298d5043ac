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

function postgresEngine(): StorageEngine {
  let server: PostgresServer | undefined;
  return {
    name: 'PostgreSQL',
    start: async () => {
      server = await startPostgres();
    },
    createUrl: async () => {
      if (server === undefined) throw new Error('the server was not started');
      return server.createDatabase();
    },
    stop: async () => server?.stop(),
  };
}

/** Every kind of database that the gateway runs on; the same tests run on all of them. */
export const storageEngines: readonly StorageEngine[] = [sqliteEngine(), postgresEngine()];
