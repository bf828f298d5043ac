import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { formatTable } from '../terminal/format-table.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { createAdminClient } from './admin-client.ts';
import type { TargetOptions } from './admin-target.ts';
import { itemsOf, textOf, timeOf } from './fields.ts';

/** Options of every command that asks the admin API. */
export interface AdminOptions extends TargetOptions {
  readonly json: boolean;
}

/** Options of `toolgate keys create`. */
export interface CreateKeyOptions extends AdminOptions {
  readonly admin: boolean;
  readonly tools: 'allow' | 'deny';
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Empty: all. */
  readonly route: readonly string[];
  /** Empty: none; `all` alone: all. */
  readonly server: readonly string[];
  readonly perMinute?: number;
  readonly concurrency?: number;
}

/** Makes a key. The key alone goes to the output, so that it can be taken from there. */
export async function createKey(principal: string, options: CreateKeyOptions, io: CliIo): Promise<number> {
  const client = await createAdminClient(options, io);
  const answer = await client.ask('api/keys', {
    method: 'POST',
    body: { principal, grants: grantsOf(options) },
  });
  if (options.json) {
    await io.stdout.write(`${jsonText(answer)}\n`);
    return 0;
  }
  const record = isJsonObject(answer['record']) ? answer['record'] : {};
  await io.stdout.write(`${textOf(answer, 'key', 600)}\n`);
  await io.stderr.write(
    `Key ${textOf(record, 'id')} for ${textOf(record, 'principal')}. It is shown this once and kept nowhere.\n`,
  );
  const missing = isJsonObject(answer['unconfigured']) ? answer['unconfigured'] : {};
  for (const [member, what] of NAMED) {
    if (missing[member] === undefined) continue;
    await io.stderr.write(`The configuration has no ${what} of this name: ${namesOf(missing[member])}\n`);
  }
  return 0;
}

const NAMED = [
  ['routes', 'route'],
  ['servers', 'MCP server'],
] as const;

function grantsOf(options: CreateKeyOptions): JsonObject {
  const { admin, allow, concurrency, deny, perMinute, route, server, tools } = options;
  const access = (names: readonly string[], none: JsonValue): JsonValue =>
    names.length === 0 ? none : names.length === 1 && names[0] === 'all' ? 'all' : [...names];
  return {
    toolsDefault: tools,
    allow: [...allow],
    deny: [...deny],
    routes: access(route, 'all'),
    servers: access(server, []),
    admin,
    limits: {
      ...(perMinute === undefined ? {} : { requestsPerMinute: perMinute }),
      ...(concurrency === undefined ? {} : { concurrency }),
    },
  };
}

const COLUMNS = [
  { title: 'PRINCIPAL' },
  { title: 'TOOLS' },
  { title: 'ROUTES' },
  { title: 'SERVERS' },
  { title: 'ADMIN' },
  { title: 'FROM' },
  { title: 'STATE' },
  { title: 'ID' },
] as const;

/** Lists the keys, without the keys themselves. */
export async function listKeys(options: AdminOptions, io: CliIo): Promise<number> {
  const answer = await (await createAdminClient(options, io)).ask('api/keys');
  if (options.json) {
    await io.stdout.write(`${jsonText(answer)}\n`);
    return 0;
  }
  const paint = createPaint(io.stdout, io.env);
  const items = itemsOf(answer);
  const rows = items.map((key) => {
    const grants = isJsonObject(key['grants']) ? key['grants'] : {};
    const revoked = key['revokedAt'] !== undefined;
    return [
      { text: textOf(key, 'principal', 60) },
      { text: toolsOf(grants) },
      { text: namesOf(grants['routes']) },
      { text: namesOf(grants['servers']) },
      { text: grants['admin'] === true ? 'yes' : '' },
      { text: key['origin'] === 'config' ? 'configuration' : timeOf(key, 'createdAt') },
      { text: revoked ? 'revoked' : 'valid', tone: revoked ? ('quiet' as const) : ('good' as const) },
      { text: textOf(key, 'id', 130) },
    ];
  });
  const table = formatTable(COLUMNS, rows, { paint, width: io.stdout.columns });
  await io.stdout.write(items.length === 0 ? 'There are no keys.\n' : table);
  return 0;
}

/** Ends a key. */
export async function revokeKey(id: string, options: AdminOptions, io: CliIo): Promise<number> {
  const client = await createAdminClient(options, io);
  const answer = await client.ask(`api/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
  await io.stdout.write(
    options.json ? `${jsonText(answer)}\n` : `The key ${safeText(id, 130)} opens nothing any more.\n`,
  );
  return 0;
}

function toolsOf(grants: JsonObject): string {
  const count = (name: string): number =>
    Array.isArray(grants[name]) ? (grants[name] as readonly unknown[]).length : 0;
  const but = count('deny') === 0 ? '' : ` but ${count('deny')}`;
  if (grants['toolsDefault'] === 'allow') return `all${but}`;
  return count('allow') === 0 ? 'none' : `${countOf(count('allow'), 'tool')}${but}`;
}

function namesOf(access: JsonValue | undefined): string {
  if (access === 'all') return 'all';
  const names = (Array.isArray(access) ? (access as readonly JsonValue[]) : []).filter(
    (name) => typeof name === 'string',
  );
  return names.length === 0 ? 'none' : safeText(names.join(' '), 60);
}
