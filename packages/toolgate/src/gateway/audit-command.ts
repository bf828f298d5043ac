import type { Digest, JsonObject } from '@toolgate/core';
import { type AuditFault, type AuditHead, type AuditVerdict, verifyExport } from '@toolgate/gateway';
import { CliError } from '../cli-error.ts';
import { openSource } from '../input/open-source.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { safeLines, safeText } from '../terminal/safe-text.ts';
import { createAdminClient } from './admin-client.ts';
import { linesOf, openDatabaseAudit } from './audit-source.ts';
import type { AdminOptions } from './keys-command.ts';

/** Options of `toolgate audit verify`. */
export interface VerifyAuditOptions extends AdminOptions {
  readonly database?: string;
  /** `SEQ:DIGEST`, as `verify` prints it. */
  readonly anchor?: string;
}

/** Options of `toolgate audit export`. */
export interface ExportAuditOptions extends AdminOptions {
  readonly database?: string;
  readonly after: number;
}

const FAULTS: Readonly<Record<AuditFault, string>> = {
  unreadable: 'it is no record, or spelled otherwise than it was written',
  digest: 'it was changed',
  previous: 'it does not follow the record before it',
  sequence: 'a record was taken out, put in or moved',
  truncated: 'it is missing: the chain is shorter than the head that was kept',
  anchor: 'it is another one than the head that was kept',
};

/**
 * Checks the chain of an exported file, of a database, or of a running gateway.
 *
 * @returns The exit code: 1 when a record is bad.
 */
export async function verifyAudit(
  file: string | undefined,
  options: VerifyAuditOptions,
  io: CliIo,
): Promise<number> {
  if ([file, options.database, options.url].filter((each) => each !== undefined).length > 1)
    throw new CliError('cli/usage', 'Name one of them: a file, --database or --url.');
  const anchor = options.anchor === undefined ? undefined : readAnchor(options.anchor);
  const verdict = await verdictOf(file, anchor, options, io);
  const paint = createPaint(io.stdout, io.env);
  if (options.json) await io.stdout.write(`${jsonText(verdict)}\n`);
  else if (verdict.ok) {
    const { head, records } = verdict;
    await io.stdout.write(
      `${paint('good', 'whole')}  ${countOf(records, 'record')}, head ${head.seq}:${head.digest}\n`,
    );
    if (anchor === undefined)
      await io.stderr.write(
        'Keep the head elsewhere: only --anchor finds a chain that was cut off at its end.\n',
      );
  } else {
    const { fault, seq } = verdict;
    const why = FAULTS[fault] ?? 'it is bad';
    await io.stdout.write(
      `${paint('bad', 'broken')}  record ${seq}: ${why} ${paint('quiet', `(${safeText(fault, 40)})`)}\n`,
    );
  }
  return verdict.ok ? 0 : 1;
}

async function verdictOf(
  file: string | undefined,
  anchor: AuditHead | undefined,
  options: VerifyAuditOptions,
  io: CliIo,
): Promise<AuditVerdict> {
  const settings = anchor === undefined ? {} : { anchor };
  if (file !== undefined) {
    const { chunks } = await openSource(file, io);
    return verifyExport(linesOf(chunks), settings);
  }
  if (options.database !== undefined) {
    const opened = await openDatabaseAudit(options.database, io);
    try {
      return await opened.audit.verify(settings);
    } finally {
      await opened.close();
    }
  }
  const client = await createAdminClient(options, io);
  const body: JsonObject = anchor === undefined ? {} : { anchor: { seq: anchor.seq, digest: anchor.digest } };
  const answer = await client.ask('api/audit/verify', { method: 'POST', body, timeoutMs: 'none' });
  return readVerdict(answer);
}

/** Writes the audit as JSON lines, oldest first. */
export async function exportAudit(options: ExportAuditOptions, io: CliIo): Promise<number> {
  if (options.database !== undefined) {
    const opened = await openDatabaseAudit(options.database, io);
    try {
      for await (const line of opened.audit.export(options.after)) {
        io.signal.throwIfAborted();
        await io.stdout.write(shown(line, io));
      }
      return 0;
    } finally {
      await opened.close();
    }
  }
  const client = await createAdminClient(options, io);
  const pieces = await client.open('api/audit', 'application/jsonl', { query: { after: options.after } });
  const decoder = new TextDecoder();
  try {
    for await (const piece of pieces)
      await io.stdout.write(shown(decoder.decode(piece, { stream: true }), io));
  } catch (cause) {
    if (!CliError.is(cause) || cause.code !== 'cli/gateway-unreachable') throw cause;
    // It is how an answer ends that comes to a record which cannot be read.
    const hint = 'What was written is not all; "toolgate audit verify" says whether a record is bad.';
    throw new CliError(cause.code, `${cause.message} ${hint}`, { cause });
  }
  return 0;
}

/** As it is for a file; a terminal gets nothing that moves it, although the text does not verify any more then. */
function shown(text: string, { stdout }: CliIo): string {
  return stdout.isTerminal ? safeLines(text) : text;
}

function readAnchor(text: string): AuditHead {
  const [, seq = '', digest = ''] = /^(\d{1,15}):(sha256:[0-9a-f]{64})$/u.exec(text) ?? [];
  if (digest === '')
    throw new CliError('cli/usage', 'An anchor is NUMBER:sha256:…, as "audit verify" prints it.');
  return { seq: Number(seq), digest: digest as Digest };
}

function readVerdict(answer: JsonObject): AuditVerdict {
  const { fault, head, ok, records, seq } = answer as unknown as Partial<Record<string, unknown>>;
  if (ok === true && typeof records === 'number') return { ok, records, head: head as AuditHead };
  if (ok === false && typeof seq === 'number') return { ok, seq, fault: fault as AuditFault };
  throw new CliError('cli/gateway-invalid', 'The verdict of the gateway cannot be read.');
}
