import { randomBytes } from 'node:crypto';
import { realpath, rename, rm, writeFile } from 'node:fs/promises';
import { type LockFile, writeLock } from '@toolgate/mcp';
import { CliError } from '../cli-error.ts';
import { safeText } from '../terminal/safe-text.ts';

/**
 * Writes a lock file at once: whoever reads it sees the old one or the new one. A link stays a link.
 *
 * @throws CliError `cli/lock-unwritable`; McpError `mcp/lock-invalid`
 */
export async function writeLockFile(path: string, lock: LockFile): Promise<void> {
  const text = writeLock(lock);
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new CliError('cli/lock-unwritable', `The lock file ${safeText(path, 200)} cannot be written.`, {
      cause,
    });
  }
}
