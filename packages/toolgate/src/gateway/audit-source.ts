import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type OpenAudit, openAudit, Secret } from '@toolgate/gateway';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';

const LF = 0x0a;
/** Bytes of one line; no record is that long. */
const MAX_LINE = 262_144;
/** Stands for a line that is not UTF-8: no record holds it raw. */
const UNREADABLE = '\u0000\n';

/**
 * The text of an exported audit, whole lines at a time. Bytes that are no text make their own line unreadable and no
 * other, so that a check names the right record.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LF) + 1;
    rest = bytes.subarray(end);
    for (let at = 0; at < end; ) {
      const next = bytes.indexOf(LF, at) + 1;
      yield decode(decoder, bytes.subarray(at, next)) ?? UNREADABLE;
      at = next;
    }
    // The check sees a last line without its end, and that is what this is.
    if (rest.length > MAX_LINE) break;
  }
  if (rest.length > 0) yield decode(decoder, rest.subarray(0, MAX_LINE)) ?? '\u0000';
}

function decode(decoder: { decode(bytes: Uint8Array): string }, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Opens the audit of a database that is there.
 *
 * @throws CliError `cli/input-unreadable`; GatewayError `gateway/storage-invalid`, `gateway/storage-unavailable`
 */
export async function openDatabaseAudit(url: string, io: CliIo): Promise<OpenAudit> {
  const path = /^sqlite:(?!:memory:$)(.+)$/su.exec(url)?.[1];
  if (path === undefined) return openAudit(new Secret(url));
  const file = resolve(io.cwd, path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new CliError('cli/input-unreadable', 'There is no such database.');
  return openAudit(new Secret(`sqlite:${file}`));
}
