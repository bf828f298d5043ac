import { resolve } from 'node:path';
import {
  appendPointer,
  compileSchema,
  describeIssues,
  digest,
  type Issue,
  JsonError,
  type JsonObject,
  readJson,
  type Schema,
} from '@toolgate/core';
import { GatewayError } from '../ports/gateway-error.ts';
import { type Access, permits } from '../ports/principal.ts';
import { buildAuth, buildKeys, buildListen } from './build-access.ts';
import { type BuildContext, createBuildContext } from './build-context.ts';
import { buildMcp } from './build-mcp.ts';
import { buildProviders, buildUrl } from './build-providers.ts';
import { buildRoutes } from './build-routes.ts';
import { configFault } from './config-fault.ts';
import type { GatewayConfigInput, GrantsInput } from './config-input.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';
import type { ConfigSource } from './config-text.ts';
import type { ApprovalsConfig, GatewayConfig, StorageConfig, WebhookConfig } from './gateway-config.ts';
import type { McpConfig } from './mcp-config.ts';
import { type Environment, missingVariables } from './missing-variables.ts';
import { Secret } from './secret.ts';
import { webhookKey } from './webhook-key.ts';

let compiled: Schema | undefined;

type WebhookInput = NonNullable<NonNullable<GatewayConfigInput['approvals']>['webhook']>;

/** Faults of one configuration that are told. */
const MAX_FAULTS = 100;

/**
 * A configuration that can be used, or everything that is wrong with it: at least one fault, each with its place, in the order
 * of the file. Faults that no schema can say are among them when the schema has none.
 */
export type ConfigReport =
  | { readonly kind: 'valid'; readonly config: GatewayConfig }
  | { readonly kind: 'invalid'; readonly faults: readonly GatewayError[] };

/**
 * Checks a configuration against the schema, fills in the environment and the defaults, and checks what a schema cannot
 * say. No message holds a value of the configuration.
 *
 * @param folder - Where relative paths in it begin; `undefined`: where the process runs.
 * @throws GatewayError `gateway/config-invalid`, `gateway/secret-missing`, both with the place: the first fault, and how many
 * there are besides.
 */
export function readConfig(source: ConfigSource, env: Environment, folder?: string): GatewayConfig {
  const read = tryReadConfig(source, env, folder);
  if (read.kind === 'valid') return read.config;
  throw summaryOf(read.faults);
}

/** The first fault, which says how many there are besides. */
function summaryOf([first, ...others]: readonly GatewayError[]): GatewayError {
  if (first === undefined) throw new RangeError('There is no fault.');
  if (others.length === 0) return first;
  const { cause, code, message, place } = first;
  return new GatewayError(code, `${message} (and ${others.length} more)`, {
    ...(cause === undefined ? {} : { cause }),
    ...(place === undefined ? {} : { place }),
  });
}

/**
 * The MCP servers alone. Of everything else the schema is checked and nothing is filled in: who reviews tools needs no keys of
 * providers.
 *
 * @throws GatewayError as {@link readConfig}.
 */
export function readMcpConfig(source: ConfigSource, env: Environment, folder?: string): McpConfig {
  const wrong = schemaFaults(source);
  if (wrong.length > 0) throw summaryOf(wrong);
  const { mcp } = source.value as { readonly mcp?: JsonObject };
  return readConfig({ ...source, value: mcp === undefined ? {} : { mcp } }, env, folder).mcp;
}

/** The same, with all faults at once; those that no schema can say are looked for where the schema has none. */
export function tryReadConfig(source: ConfigSource, env: Environment, folder?: string): ConfigReport {
  // The schema sees the text as written: no secret of the environment can end up in what it says.
  const wrong = schemaFaults(source);
  if (wrong.length > 0) return { kind: 'invalid', faults: wrong };
  const context = createBuildContext(source, env, folder);
  const config = buildConfig(context, source);
  const found = context.faults();
  const places = new Set(found.filter(({ code }) => !isMissing(code)).map(({ place }) => place?.pointer));
  // Each text has told of its first variable only.
  const missing = missingVariables(source, env).filter(({ place }) => !places.has(place?.pointer));
  const faults = [...found.filter(({ code }) => !isMissing(code)), ...missing];
  if (faults.length === 0) return { kind: 'valid', config };
  return { kind: 'invalid', faults: faults.sort(byPlace).slice(0, MAX_FAULTS) };
}

function isMissing(code: string): boolean {
  return code === 'gateway/secret-missing';
}

function byPlace({ place: one }: GatewayError, { place: other }: GatewayError): number {
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.column ?? 0) - (other?.column ?? 0);
}

/** What is built of parts that are all good; with a fault it means nothing. */
function buildConfig(context: BuildContext, source: ConfigSource): GatewayConfig {
  const input = source.value as unknown as GatewayConfigInput;
  const listen = buildListen(context, input);
  checkNames(context, input);
  return Object.freeze({
    listen,
    auth: buildAuth(context, input, listen),
    keys: buildKeys(context, input),
    providers: buildProviders(context, input),
    routes: buildRoutes(context, input),
    mcp: buildMcp(context, input),
    storage: buildStorage(context, input),
    audit: Object.freeze({ allowedCalls: input.audit?.allowedCalls ?? true }),
    approvals: buildApprovals(context, input),
    limits: Object.freeze({
      bodyBytes: input.limits?.bodyBytes ?? 33_554_432,
      headerBytes: input.limits?.headerBytes ?? 32_768,
      requestMs: input.limits?.requestMs ?? 60_000,
      concurrency: input.limits?.concurrency ?? 2_000,
    }),
    digest: digest(source.value),
  });
}

/** Everything that the schema says against a configuration, each with its place. Bounded. */
function schemaFaults(source: ConfigSource): readonly GatewayError[] {
  compiled ??= compileSchema(CONFIG_SCHEMA);
  return compiled.explain(source.value).map((issue) => configFault(source, placeOf(issue), wordsFor(issue)));
}

/** An unknown member is where it stands, not where its object begins. */
function placeOf({ pointer, keyword, actual }: Issue): string {
  if (keyword !== 'additionalProperties') return pointer;
  try {
    const name = readJson(actual);
    return typeof name === 'string' ? appendPointer(pointer, name) : pointer;
  } catch (error) {
    // A name too long to be told whole.
    if (JsonError.is(error)) return pointer;
    throw error;
  }
}

/** What is wrong in the schema's words, without what was found: that may be a secret in the wrong place. */
function wordsFor({ keyword, expected }: Issue): string {
  return describeIssues([{ pointer: '', keyword, expected, actual: '', message: `expected ${expected}` }])
    .replace('(root) ', '')
    .slice(0, 400);
}

const DATABASE = 'sqlite:.toolgate/gateway.db';

function buildStorage(context: BuildContext, { storage = {} }: GatewayConfigInput): StorageConfig {
  const given = context.part(() => context.secret('/storage/url', storage.url ?? DATABASE));
  const url = atFolder(context, given ?? new Secret(DATABASE));
  if (!/^(?:sqlite:.|postgres(?:ql)?:\/\/)/.test(url.reveal()))
    context.note('/storage/url', 'it is sqlite:<path>, sqlite::memory: or postgres://…');
  const { contents = false, retentionDays = 30 } = storage;
  return Object.freeze({ url, contents, retentionDays });
}

/** A database in a file whose path is relative lies where the configuration does. */
function atFolder({ folder }: BuildContext, url: Secret): Secret {
  const path = /^sqlite:(?!:memory:$)(.+)$/su.exec(url.reveal())?.[1];
  return path === undefined || folder === undefined ? url : new Secret(`sqlite:${resolve(folder, path)}`);
}

function buildApprovals(context: BuildContext, { approvals = {} }: GatewayConfigInput): ApprovalsConfig {
  const { fourEyes = false, lifetimeMs = 3_600_000, webhook } = approvals;
  return Object.freeze({
    lifetimeMs,
    fourEyes,
    webhook: webhook === undefined ? undefined : buildWebhook(context, webhook),
  });
}

function buildWebhook(context: BuildContext, webhook: WebhookInput): WebhookConfig | undefined {
  const secret = context.part(() => context.secret('/approvals/webhook/secret', webhook.secret));
  if (secret !== undefined && webhookKey(secret).length < 16)
    context.note(
      '/approvals/webhook/secret',
      'a secret has at least 16 bytes; behind whsec_ they are written in base64',
    );
  const url = context.part(() => buildUrl(context, '/approvals/webhook/url', webhook.url));
  if (secret === undefined || url === undefined) return undefined;
  return Object.freeze({ url, secret, contents: webhook.contents ?? false });
}

/** A misspelt name would quietly take something away. */
function checkNames(context: BuildContext, { auth, keys = [], mcp, routes = [] }: GatewayConfigInput): void {
  const names = routes.map(({ model, name }) => name ?? model);
  const servers = Object.keys(mcp?.servers ?? {});
  const check = (
    pointer: string,
    access: Access | undefined,
    known: readonly string[],
    what: string,
  ): void => {
    if (access === undefined || access === 'all') return;
    for (const [at, name] of access.entries())
      if (!permits(known, name)) context.note(`${pointer}/${at}`, `there is no ${what} of this name`);
  };
  const checkGrants = (pointer: string, grants: GrantsInput): void => {
    check(`${pointer}/routes`, grants.routes, names, 'route');
    check(`${pointer}/servers`, grants.servers, servers, 'MCP server');
  };
  for (const [index, key] of keys.entries()) checkGrants(`/keys/${index}`, key);
  checkGrants('/auth/anonymous', auth?.anonymous ?? {});
}
