import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { formatCount } from '../terminal/format-count.ts';
import { openSource } from './open-source.ts';

/**
 * All bytes of a file, or of standard input for `-`.
 *
 * @param maxBytes - Reading stops beyond it.
 * @throws CliError `cli/input-unreadable`, `cli/input-too-large`
 */
export async function readInput(name: string, io: CliIo, maxBytes: number): Promise<Uint8Array> {
  const { label, chunks } = await openSource(name, io);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new CliError(
        'cli/input-too-large',
        `${label} is too large: at most ${formatCount(maxBytes)} bytes are read.`,
      );
    }
    pieces.push(chunk);
  }
  return Buffer.concat(pieces);
}

/**
 * The same as text. A byte order mark is kept: it is for the reader of the text to judge.
 *
 * @throws CliError also `cli/input-not-text`
 */
export async function readTextInput(name: string, io: CliIo, maxBytes: number): Promise<string> {
  const bytes = await readInput(name, io, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new CliError('cli/input-not-text', `${name === '-' ? 'Standard input' : name} is not UTF-8.`, {
      cause,
    });
  }
}
