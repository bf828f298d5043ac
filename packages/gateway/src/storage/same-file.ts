import { statSync } from 'node:fs';

/**
 * Remembers which file is at a path, and the log beside it. SQLite goes on with a file that was moved, deleted or
 * replaced, and what it writes then is lost with the process, or ruins what another process writes at that path.
 *
 * @returns Throws when another file is there, or none. Costs a few microseconds.
 */
export function sameFile(path: string): () => void {
  const files = [path, `${path}-wal`].flatMap((name) => {
    const identity = identityOf(name);
    return identity === undefined ? [] : [{ name, identity }];
  });
  return () => {
    for (const { name, identity } of files) {
      if (identityOf(name) === identity) continue;
      throw Object.assign(new Error('The file of the database was moved or replaced.'), {
        code: 'SQLITE_FILE_REPLACED',
      });
    }
  };
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
