import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { type AdminClient, createAdminClient } from './admin-client.ts';
import { formatFields, itemsOf, textOf, timeOf } from './fields.ts';
import type { AdminOptions } from './keys-command.ts';

/** Requests of a principal that are looked through for the last one of its key. */
const LOOKED_AT = 500;
const NAMES_LENGTH = 4_000;

/** A key, and the last request that was made with it. */
interface ShownKey {
  readonly record: JsonObject;
  readonly last: JsonObject | undefined;
  /** Whether all requests of the log were looked through. */
  readonly all: boolean;
}

/**
 * Shows one key without the key itself, or all of a principal: what they grant, and when one was used last.
 *
 * @param name - An id; where no key has it, a principal.
 */
export async function showKey(name: string, options: AdminOptions, io: CliIo): Promise<number> {
  const client = await createAdminClient(options, io);
  const records = itemsOf(await client.ask('api/keys'));
  const named = records.filter(({ id }) => id === name);
  const chosen = named.length > 0 ? named : records.filter(({ principal }) => principal === name);
  if (chosen.length === 0)
    throw new CliError('cli/key-unknown', `No key has the id or the principal "${safeText(name, 128)}".`);
  const keys: ShownKey[] = [];
  for (const record of chosen) keys.push({ record, ...(await lastRequest(record, client)) });
  if (options.json) {
    const items = keys.map(({ last, record }) => (last === undefined ? record : { ...record, last }));
    await io.stdout.write(`${jsonText({ items })}\n`);
    return 0;
  }
  const paint = createPaint(io.stdout, io.env);
  await io.stdout.write(keys.map((key) => formatKey(key, paint)).join('\n'));
  return 0;
}

async function lastRequest(record: JsonObject, client: AdminClient): Promise<Pick<ShownKey, 'last' | 'all'>> {
  const { id, principal } = record;
  const query = { ...(typeof principal === 'string' ? { principal } : {}), limit: LOOKED_AT };
  const page = await client.ask('api/traffic', { query });
  const last = itemsOf(page).find(({ keyId }) => keyId === id);
  return { last, all: page['cursor'] === undefined };
}

function formatKey({ all, last, record }: ShownKey, paint: Paint): string {
  const grants = isJsonObject(record['grants']) ? record['grants'] : {};
  const limits = isJsonObject(grants['limits']) ? grants['limits'] : {};
  const isConfigured = record['origin'] === 'config';
  const revoked = timeOf(record, 'revokedAt');
  return formatFields(
    [
      ['key', textOf(record, 'id')],
      ['principal', textOf(record, 'principal')],
      ['state', revoked === '' ? paint('good', 'valid') : paint('quiet', 'revoked')],
      ['tools', grants['toolsDefault'] === 'allow' ? 'all that nothing denies' : 'those that are allowed'],
      ['allowed', grants['toolsDefault'] === 'allow' ? '' : listOf(grants['allow'])],
      ['denied', listOf(grants['deny'])],
      ['routes', listOf(grants['routes'])],
      ['servers', listOf(grants['servers'])],
      ['admin', grants['admin'] === true ? 'yes' : 'no'],
      ['requests per minute', textOf(limits, 'requestsPerMinute')],
      ['requests at once', textOf(limits, 'concurrency')],
      [
        'created',
        isConfigured
          ? 'by the configuration'
          : `${timeOf(record, 'createdAt')} by ${textOf(record, 'createdBy')}`,
      ],
      ['revoked', revoked === '' ? '' : `${revoked} by ${textOf(record, 'revokedBy')}`],
      ['last used', lastOf(last, all)],
    ],
    paint,
  );
}

/** The log forgets: that there is nothing is said of the log, not of the key. */
function lastOf(last: JsonObject | undefined, all: boolean): string {
  if (last === undefined)
    return all
      ? 'never, as far as the traffic log goes'
      : `not by the last ${LOOKED_AT} requests of its principal`;
  return `${timeOf(last, 'at')}  ${textOf(last, 'surface', 40)} ${textOf(last, 'status', 10)}`;
}

function listOf(names: JsonValue | undefined): string {
  if (names === 'all') return 'all';
  const texts = (Array.isArray(names) ? (names as readonly JsonValue[]) : []).filter(
    (name) => typeof name === 'string',
  );
  return texts.length === 0 ? 'none' : safeText(texts.join(' '), NAMES_LENGTH);
}
