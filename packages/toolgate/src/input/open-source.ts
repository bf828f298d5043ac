import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { safeText } from '../terminal/safe-text.ts';

/** Bytes to read, once. */
export interface Source {
  /** For messages. */
  readonly label: string;
  /** In bytes; `undefined` for what is no plain file. */
  readonly size: number | undefined;
  /** @throws CliError `cli/input-unreadable`; the reason of the signal when the command has to end. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'access is not permitted'],
  ['EPERM', 'access is not permitted'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of the path is no folder'],
  ['EMFILE', 'too many files are open'],
]);

/**
 * Opens a file, or standard input for `-`.
 *
 * @throws CliError `cli/input-unreadable`
 */
export async function openSource(name: string, io: CliIo): Promise<Source> {
  if (name === '-') {
    return { label: 'standard input', size: undefined, chunks: guarded('standard input', io, io.stdin) };
  }
  const path = resolve(io.cwd, name);
  const label = safeText(name, 200);
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    const chunks = createReadStream(path, { highWaterMark: 256 * 1024, signal: io.signal });
    return { label, size: facts.isFile() ? facts.size : undefined, chunks: guarded(label, io, chunks) };
  } catch (cause) {
    throw unreadable(label, cause);
  }
}

async function* guarded(
  label: string,
  { signal }: CliIo,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  try {
    for await (const chunk of chunks) {
      yield chunk;
      signal.throwIfAborted();
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw unreadable(label, cause);
  }
  // A stream that was destroyed by the signal may also end as if it were complete.
  signal.throwIfAborted();
}

function unreadable(label: string, cause: unknown): CliError {
  if (CliError.is(cause)) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  const words = WORDS.get(code) ?? `reading failed with ${code}`;
  return new CliError('cli/input-unreadable', `Cannot read ${label}: ${words}.`, { cause });
}
