import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from './postgres-binaries.ts';

/** Somebody who owns nothing; PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** A server of its own, on a socket in a folder of its own. */
export interface PostgresServer {
  /** Makes an empty database and gives its URL. */
  createDatabase(): Promise<string>;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a server. It also ends when this process does, however that happens: it hangs on a pipe.
 *
 * @throws Error when no server can be had here.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const runAs = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  // Socket paths are short: 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'tg-pg-'));
  if (runAs.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const bin = findPostgres(runAs, folder);
  const data = join(folder, 'data');
  const options = ['--pgdata', data, '--username', 'toolgate', '--auth', 'trust', '--no-sync'];
  execFileSync(join(bin, 'initdb'), [...options, '--encoding', 'UTF8', '--locale', 'C'], {
    ...runAs,
    cwd: folder,
    stdio: 'pipe',
  });
  const command = [join(bin, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses='];
  // Ended without a checkpoint: nobody needs the data any more.
  const child = spawn(
    'sh',
    ['-c', '"$@" & server=$!; cat > /dev/null; kill -QUIT $server; wait $server', 'sh', ...command],
    { ...runAs, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  await untilReady(child);
  const urlOf = (name: string): string => `postgres://toolgate@/${name}?host=${encodeURIComponent(folder)}`;
  const admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  let databases = 0;
  return {
    createDatabase: async () => {
      databases += 1;
      const name = `test_${databases}`;
      await admin.query(`create database ${name}`);
      return urlOf(name);
    },
    stop: async () => {
      await admin.end();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    child.stderr?.on('data', (chunk: unknown) => {
      said = `${said}${String(chunk)}`.slice(-2_000);
      if (said.includes('ready to accept connections')) resolve();
    });
  });
}
