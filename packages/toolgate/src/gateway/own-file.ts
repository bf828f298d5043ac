import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/**
 * The bytes of a file that only this user can have written and can read; `undefined` where there is none. A folder that
 * came with somebody else's work, a clone or an archive, must not say which keys are good.
 *
 * @throws Error for a link, for what is no file, for a file of others or one that others may read, for one of more than
 * `maxBytes`. Never waits for a pipe.
 */
export async function readOwnFile(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  const file = await unlessMissing(open(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0)));
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    checkOwn(stats);
    if (stats.size > maxBytes) throw new Error('It is too large.');
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Refuses what {@link readOwnFile} would not read; nothing is wrong with a file that is not there. */
export async function checkOwnFile(path: string): Promise<void> {
  const stats = await unlessMissing(lstat(path));
  if (stats !== undefined) checkOwn(stats);
}

function checkOwn(stats: Stats): void {
  if (!stats.isFile()) throw new Error('It is no file.');
  // Where there are no owners and modes, the folder of the user has to do.
  const user = process.getuid?.();
  if (user === undefined) return;
  if (stats.uid !== user) throw new Error('It is somebody else’s.');
  if ((stats.mode & 0o077) !== 0) throw new Error('Others may read or write it.');
}

async function unlessMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
