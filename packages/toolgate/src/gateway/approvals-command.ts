import { isJsonObject, JsonError, type JsonObject, readJson } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { readTextInput } from '../input/read-input.ts';
import { revealText } from '../mcp/reveal-text.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { formatSpan } from '../terminal/format-span.ts';
import type { Cell } from '../terminal/format-table.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { createAdminClient } from './admin-client.ts';
import { approvalLine, formatApproval, toneOf } from './approval-fields.ts';
import { textOf } from './fields.ts';
import type { AdminOptions } from './keys-command.ts';
import { listPages } from './list-pages.ts';
import { writePage } from './write-page.ts';

/** Options of `toolgate approvals list`. */
export interface ListApprovalsOptions extends AdminOptions {
  readonly status?: string;
  readonly tool?: string;
  readonly principal?: string;
  readonly place?: string;
  readonly limit: number;
  /** Whether the arguments are read, which stands in the audit for each approval. */
  readonly arguments: boolean;
}

const COLUMNS = [
  { title: 'TOOL' },
  { title: 'STATUS' },
  { title: 'CLASS' },
  { title: 'PLACE' },
  { title: 'PRINCIPAL' },
  { title: 'KEY' },
  { title: 'AGE', align: 'right' },
  { title: 'LEFT', align: 'right' },
  { title: 'ARGUMENTS' },
  { title: 'ID' },
] as const;

/** Bytes of edited arguments; more than a contract takes. */
const MAX_BYTES = 1_048_576;

/** Lists approvals, newest first; what waits, where nothing else is said. */
export async function listApprovals(options: ListApprovalsOptions, io: CliIo): Promise<number> {
  const { limit, place, principal, status, tool } = options;
  const client = await createAdminClient(options, io);
  const query = { status: status === 'all' ? undefined : status, tool, principal, place };
  const { items: listed, more } = await listPages(client, 'api/approvals', query, limit);
  const items: JsonObject[] = [];
  for (const each of listed)
    items.push(options.arguments ? await client.ask(pathOf(textOf(each, 'id'))) : each);
  const now = io.now();
  const rowOf = (approval: JsonObject): readonly Cell[] => {
    const state = textOf(approval, 'status', 20);
    return [
      { text: textOf(approval, 'tool', 64) },
      { text: state, tone: toneOf(state) },
      { text: textOf(approval, 'class', 20) },
      { text: textOf(approval, 'place', 60) },
      { text: textOf(approval, 'principal', 60) },
      { text: textOf(approval, 'keyId', 40) },
      { text: spanOf(approval, 'requestedAt', (at) => now - at) },
      { text: state === 'pending' ? spanOf(approval, 'expiresAt', (at) => at - now) : '' },
      { text: shortArguments(approval) },
      { text: textOf(approval, 'id', 80) },
    ];
  };
  return writePage({ items, more }, { json: options.json, limit, columns: COLUMNS, rowOf }, io);
}

/** What is longer than this is for `approvals show`. */
const SHORT_LENGTH = 48;
const DIGEST_LENGTH = 12;

/** The arguments where they were read, else as much of their digest as tells calls apart. */
function shortArguments(approval: JsonObject): string {
  const request = isJsonObject(approval['request']) ? approval['request'] : {};
  const { arguments: given } = request;
  if (given !== undefined) return safeText(revealText(JSON.stringify(given)), SHORT_LENGTH);
  return textOf(approval, 'argumentsDigest')
    .replace(/^sha256:/u, '')
    .slice(0, DIGEST_LENGTH);
}

function spanOf(approval: JsonObject, name: string, span: (at: number) => number): string {
  const at = approval[name];
  return typeof at === 'number' ? formatSpan(span(at)) : '';
}

/** Shows one approval with its exact arguments. */
export async function showApproval(id: string, options: AdminOptions, io: CliIo): Promise<number> {
  const approval = await (await createAdminClient(options, io)).ask(pathOf(id));
  await io.stdout.write(
    options.json ? `${jsonText(approval)}\n` : formatApproval(approval, createPaint(io.stdout, io.env)),
  );
  return 0;
}

/** Says yes, once, to the exact call, or to the same tool with other arguments. */
export async function approveCall(
  id: string,
  options: AdminOptions & { readonly args?: string },
  io: CliIo,
): Promise<number> {
  const body = options.args === undefined ? {} : { arguments: await readArguments(options.args, io) };
  return decide(`${pathOf(id)}/approve`, body, options, io);
}

/** Says no; the reason is for the model. */
export async function declineCall(
  id: string,
  options: AdminOptions & { readonly reason?: string },
  io: CliIo,
): Promise<number> {
  const body = options.reason === undefined ? {} : { reason: options.reason };
  return decide(`${pathOf(id)}/decline`, body, options, io);
}

async function decide(path: string, body: JsonObject, options: AdminOptions, io: CliIo): Promise<number> {
  const client = await createAdminClient(options, io);
  const approval = await client.ask(path, { method: 'POST', body });
  const paint = createPaint(io.stdout, io.env);
  await io.stdout.write(options.json ? `${jsonText(approval)}\n` : `${approvalLine(approval, paint)}\n`);
  return 0;
}

/** A dot alone would be taken for a folder of the address. */
function pathOf(id: string): string {
  if (!/^[\w-]{1,128}$/u.test(id)) throw new CliError('cli/usage', 'That is no id of an approval.');
  return `api/approvals/${id}`;
}

async function readArguments(args: string, io: CliIo): Promise<JsonObject> {
  const file = args === '-' ? '-' : args.startsWith('@') ? args.slice(1) : undefined;
  const text = file === undefined ? args : await readTextInput(file, io, MAX_BYTES);
  try {
    const value = readJson(text, { maxBytes: MAX_BYTES });
    if (isJsonObject(value)) return value;
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    throw new CliError('cli/usage', `The arguments cannot be read as JSON: ${cause.message}`, { cause });
  }
  throw new CliError('cli/usage', 'The arguments are a JSON object.');
}
