import { isJsonObject, type JsonObject } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { compactJson } from '../mcp/compact-json.ts';
import { indent } from '../mcp/format-definition.ts';
import { revealText } from '../mcp/reveal-text.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import type { Cell } from '../terminal/format-table.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint, type Paint, type Tone } from '../terminal/paint.ts';
import { createAdminClient } from './admin-client.ts';
import { settledOf, toneOf } from './approval-fields.ts';
import { formatFields, textOf, timeOf } from './fields.ts';
import type { AdminOptions } from './keys-command.ts';
import { listPages } from './list-pages.ts';
import { writePage } from './write-page.ts';

/** Options of `toolgate calls list`. */
export interface ListCallsOptions extends AdminOptions {
  readonly verdict?: string;
  readonly tool?: string;
  readonly principal?: string;
  readonly place?: string;
  readonly request?: string;
  readonly limit: number;
}

const COLUMNS = [
  { title: 'TOOL' },
  { title: 'VERDICT' },
  { title: 'REASON' },
  { title: 'PLACE' },
  { title: 'PRINCIPAL' },
  { title: 'AT' },
  { title: 'ID' },
] as const;

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['allowed', 'good'],
  ['refused', 'bad'],
  ['observed', 'warning'],
]);

/** Lists tool calls, newest first. */
export async function listCalls(options: ListCallsOptions, io: CliIo): Promise<number> {
  const { limit, place, principal, request, tool, verdict } = options;
  const client = await createAdminClient(options, io);
  const query = { verdict, tool, principal, place, requestId: request };
  const found = await listPages(client, 'api/calls', query, limit);
  return writePage(found, { json: options.json, limit, columns: COLUMNS, rowOf }, io);
}

function rowOf(call: JsonObject): readonly Cell[] {
  const said = textOf(call, 'verdict', 20);
  return [
    { text: textOf(call, 'tool', 64) },
    { text: said, tone: TONES.get(said) ?? ('quiet' as const) },
    { text: textOf(call, 'reason', 40) },
    { text: textOf(call, 'place', 60) },
    { text: textOf(call, 'principal', 60) },
    { text: timeOf(call, 'at') },
    { text: textOf(call, 'id', 80) },
  ];
}

const FIELDS = [
  ['call', 'id'],
  ['tool', 'tool'],
  ['class', 'class'],
  ['verdict', 'verdict'],
  ['reason', 'reason'],
  ['detail', 'detail'],
  ['principal', 'principal'],
  ['key', 'keyId'],
  ['through', 'origin'],
  ['place', 'place'],
  ['request', 'requestId'],
  ['id of the model', 'callId'],
  ['contract', 'contractDigest'],
  ['arguments', 'argumentsDigest'],
  ['milliseconds', 'durationMs'],
] as const;

/** Shows one tool call, with its contents where they are kept. */
export async function showCall(id: string, options: AdminOptions, io: CliIo): Promise<number> {
  if (!/^[\w-]{1,128}$/u.test(id)) throw new CliError('cli/usage', 'That is no id of a call.');
  const call = await (await createAdminClient(options, io)).ask(`api/calls/${id}`);
  if (options.json) {
    await io.stdout.write(`${jsonText(call)}\n`);
    return 0;
  }
  const paint = createPaint(io.stdout, io.env);
  const fields = FIELDS.map(([label, name]) => [label, textOf(call, name, 600)] as const);
  const contents = (['arguments', 'result'] as const).map((name) => {
    const value = call[name];
    if (value === undefined) return '';
    const text = typeof value === 'string' ? value : compactJson(value);
    return `${paint('quiet', name)}\n${indent(revealText(text), 2)}`;
  });
  await io.stdout.write(
    `${formatFields([...fields, ['at', timeOf(call, 'at')], ...approvalOf(call, paint)], paint)}${contents.join('')}`,
  );
  return 0;
}

/** Who decided, when, and whether the call went out as it was asked for. */
function approvalOf(call: JsonObject, paint: Paint): readonly (readonly [label: string, text: string])[] {
  const approval = isJsonObject(call['approval']) ? call['approval'] : {};
  const settlement = isJsonObject(approval['settlement']) ? approval['settlement'] : {};
  const status = approval['unreadable'] === true ? 'unreadable' : textOf(approval, 'status', 20);
  const edited = textOf(settlement, 'argumentsDigest');
  return [
    ['approval', textOf(call, 'approvalId')],
    ['decision', status === '' ? '' : `${paint(toneOf(status), status)}  ${settledOf(settlement)}`.trimEnd()],
    ['given reason', textOf(settlement, 'reason', 2_000)],
    ['edited from', edited === '' ? '' : textOf(approval, 'argumentsDigest')],
    ['edited to', edited],
  ];
}
