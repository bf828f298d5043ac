import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { Socket } from 'node:net';
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
}

/**
 * Starts a server. It ends when this process does, however that happens, and its files are removed: it hangs on a pipe.
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
  // Nothing reads its files after it.
  const quick = ['-c', 'fsync=off', '-c', 'full_page_writes=off'];
  const command = [join(bin, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses=', ...quick];
  // Ended without a checkpoint: nobody needs the data any more.
  const child = spawn(
    'sh',
    [
      '-c',
      '"$@" & server=$!; cat > /dev/null; kill -QUIT $server; wait $server; cd /; rm -rf "$0"',
      folder,
      ...command,
    ],
    { ...runAs, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  await untilReady(child);
  // Nothing waits for it: the process ends as if it were not there.
  child.unref();
  for (const stream of [child.stdin, child.stderr]) if (stream instanceof Socket) stream.unref();
  const urlOf = (name: string): string => `postgres://toolgate@/${name}?host=${encodeURIComponent(folder)}`;
  const admin = new pg.Pool({
    connectionString: urlOf('postgres'),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // The server ends before the connection does.
  admin.on('error', () => undefined);
  let databases = 0;
  return {
    createDatabase: async () => {
      databases += 1;
      const name = `test_${databases}`;
      await admin.query(`create database ${name}`);
      return urlOf(name);
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
