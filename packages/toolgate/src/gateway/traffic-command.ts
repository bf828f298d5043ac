import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import type { Cell } from '../terminal/format-table.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint, type Tone } from '../terminal/paint.ts';
import { createAdminClient } from './admin-client.ts';
import { formatFields, textOf, timeOf } from './fields.ts';
import type { AdminOptions } from './keys-command.ts';
import { listPages } from './list-pages.ts';
import { writePage } from './write-page.ts';

/** Options of `toolgate traffic list`. */
export interface ListTrafficOptions extends AdminOptions {
  readonly surface?: string;
  readonly route?: string;
  readonly principal?: string;
  readonly limit: number;
}

const COLUMNS = [
  { title: 'ASKED FOR' },
  { title: 'STATUS', align: 'right' },
  { title: 'ERROR' },
  { title: 'SURFACE' },
  { title: 'CANDIDATE' },
  { title: 'PRINCIPAL' },
  { title: 'CALLS', align: 'right' },
  { title: 'MS', align: 'right' },
  { title: 'AT' },
  { title: 'ID' },
] as const;

/** Lists requests, newest first. */
export async function listTraffic(options: ListTrafficOptions, io: CliIo): Promise<number> {
  const { limit, principal, route, surface } = options;
  const client = await createAdminClient(options, io);
  const found = await listPages(client, 'api/traffic', { surface, route, principal }, limit);
  return writePage(found, { json: options.json, limit, columns: COLUMNS, rowOf }, io);
}

function rowOf(entry: JsonObject): readonly Cell[] {
  return [
    // Of a request to the admin API, or of one that names no model, what it came to.
    { text: textOf(entry, 'model', 64) || textOf(entry, 'route', 64) },
    { text: textOf(entry, 'status', 10), tone: toneOf(entry) },
    { text: textOf(entry, 'error', 40) },
    { text: textOf(entry, 'surface', 20) },
    { text: textOf(entry, 'candidate', 60) },
    { text: textOf(entry, 'principal', 60) },
    { text: textOf(entry, 'calls', 10) },
    { text: wholeOf(entry, 'durationMs') },
    { text: timeOf(entry, 'at') },
    { text: textOf(entry, 'id', 80) },
  ];
}

const TOKENS = [
  ['tokens in', 'inputTotal'],
  ['tokens out', 'outputTotal'],
  ['from the cache', 'cacheRead'],
  ['into the cache', 'cacheWrite'],
  ['for reasoning', 'reasoning'],
] as const;

/** Shows one request: who, what, which candidates, what it took and what a translation could not carry. */
export async function showTraffic(id: string, options: AdminOptions, io: CliIo): Promise<number> {
  if (!/^[\w-]{1,128}$/u.test(id)) throw new CliError('cli/usage', 'That is no id of a request.');
  const entry = await (await createAdminClient(options, io)).ask(`api/traffic/${id}`);
  if (options.json) {
    await io.stdout.write(`${jsonText(entry)}\n`);
    return 0;
  }
  const paint = createPaint(io.stdout, io.env);
  const usage = isJsonObject(entry['usage']) ? entry['usage'] : {};
  const fields = formatFields(
    [
      ['request', textOf(entry, 'id')],
      ['at', timeOf(entry, 'at')],
      ['surface', textOf(entry, 'surface')],
      ['principal', textOf(entry, 'principal')],
      ['key', textOf(entry, 'keyId')],
      ['model', textOf(entry, 'model', 256)],
      ['route', textOf(entry, 'route')],
      ['candidate', textOf(entry, 'candidate')],
      ['attempts', textOf(entry, 'attempts')],
      ...objectsOf(entry['failures']).map(
        (failure) =>
          ['failed', `${textOf(failure, 'candidate')}  ${paint('bad', textOf(failure, 'error'))}`] as const,
      ),
      ['status', paint(toneOf(entry), textOf(entry, 'status'))],
      ['error', textOf(entry, 'error')],
      ['finish', textOf(entry, 'finish')],
      ['streamed', entry['streamed'] === true ? 'yes' : 'no'],
      ['calls', textOf(entry, 'calls')],
      ...TOKENS.map(([label, name]) => [label, textOf(usage, name)] as const),
      ...objectsOf(entry['losses']).map(
        (loss) =>
          [
            'lost',
            `${textOf(loss, 'path')}  ${textOf(loss, 'code')}  ${textOf(loss, 'detail', 600)}`,
          ] as const,
      ),
      ['milliseconds', wholeOf(entry, 'durationMs')],
      ['first byte', wholeOf(entry, 'firstByteMs')],
      ['bytes in', textOf(entry, 'requestBytes')],
      ['bytes out', textOf(entry, 'responseBytes')],
      ['configuration', textOf(entry, 'generation')],
    ],
    paint,
  );
  await io.stdout.write(fields);
  return 0;
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}

function wholeOf(entry: JsonObject, name: string): string {
  const value = entry[name];
  return typeof value === 'number' ? String(Math.round(value)) : '';
}

function toneOf({ status }: JsonObject): Tone {
  if (typeof status !== 'number') return 'quiet';
  return status < 400 ? 'good' : status < 500 ? 'warning' : 'bad';
}
