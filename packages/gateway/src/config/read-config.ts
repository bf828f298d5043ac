import { resolve } from 'node:path';
import {
  appendPointer,
  compileSchema,
  describeIssues,
  digest,
  type Issue,
  JsonError,
  readJson,
  type Schema,
} from '@toolgate/core';
import type { GatewayError } from '../ports/gateway-error.ts';
import { type Access, permits } from '../ports/principal.ts';
import { buildAuth, buildKeys, buildListen } from './build-access.ts';
import { type BuildContext, createBuildContext } from './build-context.ts';
import { buildMcp } from './build-mcp.ts';
import { buildProviders, buildUrl } from './build-providers.ts';
import { buildRoutes } from './build-routes.ts';
import { configFault } from './config-fault.ts';
import type { GatewayConfigInput } from './config-input.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';
import type { ConfigSource } from './config-text.ts';
import type { ApprovalsConfig, GatewayConfig, StorageConfig } from './gateway-config.ts';
import type { Environment } from './missing-variables.ts';
import { Secret } from './secret.ts';
import { webhookKey } from './webhook-key.ts';

let compiled: Schema | undefined;

/**
 * Checks a configuration against the schema, fills in the environment and the defaults, and checks what a schema cannot
 * say. No message holds a value of the configuration.
 *
 * @param folder - Where relative paths in it begin; `undefined`: where the process runs.
 * @throws GatewayError `gateway/config-invalid`, `gateway/secret-missing`, both with the place.
 */
export function readConfig(source: ConfigSource, env: Environment, folder?: string): GatewayConfig {
  const context = createBuildContext(source, env, folder);
  compiled ??= compileSchema(CONFIG_SCHEMA);
  // The schema sees the text as written: no secret of the environment can end up in what it says.
  const [first, ...others] = compiled.explain(source.value);
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    context.fail(placeOf(first), `${wordsFor(first)}${more}`);
  }
  const input = source.value as unknown as GatewayConfigInput;
  const listen = buildListen(context, input);
  const providers = buildProviders(context, input);
  const config: GatewayConfig = Object.freeze({
    listen,
    auth: buildAuth(context, input, listen),
    keys: buildKeys(context, input),
    providers,
    routes: buildRoutes(context, input, providers),
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
  checkNames(context, config);
  context.refuseUnfilled();
  return config;
}

/** Everything that the schema says against a configuration, each with its place. Bounded. */
export function schemaFaults(source: ConfigSource): readonly GatewayError[] {
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

function buildStorage(context: BuildContext, { storage = {} }: GatewayConfigInput): StorageConfig {
  const url = atFolder(context, context.secret('/storage/url', storage.url ?? 'sqlite:.toolgate/gateway.db'));
  if (!/^(?:sqlite:.|postgres(?:ql)?:\/\/)/.test(url.reveal()))
    context.fail('/storage/url', 'it is sqlite:<path>, sqlite::memory: or postgres://…');
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
  if (webhook === undefined) return Object.freeze({ lifetimeMs, fourEyes, webhook });
  const secret = context.secret('/approvals/webhook/secret', webhook.secret);
  if (webhookKey(secret).length < 16)
    context.fail(
      '/approvals/webhook/secret',
      'a secret has at least 16 bytes; behind whsec_ they are written in base64',
    );
  return Object.freeze({
    lifetimeMs,
    fourEyes,
    webhook: Object.freeze({
      url: buildUrl(context, '/approvals/webhook/url', webhook.url),
      secret,
      contents: webhook.contents ?? false,
    }),
  });
}

/** A misspelt name would quietly take something away. */
function checkNames(context: BuildContext, config: GatewayConfig): void {
  const routes = config.routes.map(({ name }) => name);
  const servers = [...config.mcp.servers.keys()];
  const check = (pointer: string, access: Access, known: readonly string[], what: string): void => {
    if (access === 'all') return;
    const at = access.findIndex((name) => !permits(known, name));
    if (at >= 0) context.fail(`${pointer}/${at}`, `there is no ${what} of this name`);
  };
  for (const [index, { grants }] of config.keys.entries()) {
    check(`/keys/${index}/routes`, grants.routes, routes, 'route');
    check(`/keys/${index}/servers`, grants.servers, servers, 'MCP server');
  }
  check('/auth/anonymous/routes', config.auth.anonymous.routes, routes, 'route');
  check('/auth/anonymous/servers', config.auth.anonymous.servers, servers, 'MCP server');
}
