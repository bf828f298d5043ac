import { createHash } from 'node:crypto';
import type { Digest } from '@toolgate/core';
import { isLoopback } from '../internal/is-loopback.ts';
import { SYSTEM_ACTOR } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Grants } from '../ports/principal.ts';
import type { BuildContext } from './build-context.ts';
import type { GatewayConfigInput, GrantsInput, KeyInput } from './config-input.ts';
import type { AuthConfig, KeyConfig, ListenConfig } from './gateway-config.ts';
import { NO_GRANTS, toGrants } from './to-grants.ts';

const DEFAULT_HOST = '127.0.0.1';
/** Shorter keys can be guessed. */
const MIN_KEY_LENGTH = 16;
/** Longer ones are not looked at. */
const MAX_KEY_LENGTH = 512;

/** Where to listen. */
export function buildListen(context: BuildContext, { listen = {} }: GatewayConfigInput): ListenConfig {
  const texts = (
    name: string,
    values: readonly string[] = [],
    faultOf: (text: string) => string | undefined = () => undefined,
  ): readonly string[] =>
    values.flatMap((value, index) => {
      const pointer = `/listen/${name}/${index}`;
      const text = context.part(() => context.fill(pointer, value));
      const fault = text === undefined ? undefined : faultOf(text);
      if (fault !== undefined) context.note(pointer, fault);
      return text ?? [];
    });
  const allowedOrigins = texts('allowedOrigins', listen.allowedOrigins, (origin) =>
    URL.canParse(origin) && new URL(origin).origin === origin
      ? undefined
      : 'an origin is a scheme, a host and perhaps a port',
  );
  const host = context.part(() => context.fill('/listen/host', listen.host ?? DEFAULT_HOST)) ?? DEFAULT_HOST;
  if (host.startsWith('[')) context.note('/listen/host', 'an address of IPv6 stands without brackets here');
  return Object.freeze({
    host,
    port: listen.port ?? 8_787,
    allowedHosts: Object.freeze(texts('allowedHosts', listen.allowedHosts).map((host) => host.toLowerCase())),
    allowedOrigins: Object.freeze(allowedOrigins),
  });
}

/** Whether a key is needed. */
export function buildAuth(
  context: BuildContext,
  { auth = {} }: GatewayConfigInput,
  { host }: ListenConfig,
): AuthConfig {
  const required = auth.required ?? true;
  if (!required && !isLoopback(host))
    context.note('/auth/required', 'keys can be left out on a loopback address only');
  if (required && auth.anonymous !== undefined)
    context.note('/auth/anonymous', 'it means nothing while a key is required');
  return Object.freeze({
    required,
    anonymous: buildGrants(context, '/auth/anonymous', auth.anonymous ?? {}, false),
  });
}

/** The keys; each has its own id and is another one. */
export function buildKeys(context: BuildContext, { keys = [] }: GatewayConfigInput): readonly KeyConfig[] {
  const ids = new Set<string>();
  const digests = new Set<string>();
  return Object.freeze(
    keys.flatMap((key, index) => {
      const pointer = `/keys/${index}`;
      const digest = context.part(() => digestOfKey(context, pointer, key));
      if (ids.has(key.id)) context.note(`${pointer}/id`, 'another key has this id');
      if (digest !== undefined && digests.has(digest)) context.note(pointer, 'another entry is the same key');
      ids.add(key.id);
      if (digest !== undefined) digests.add(digest);
      const principal = key.principal ?? key.id;
      if (principal === SYSTEM_ACTOR) {
        const from = key.principal === undefined ? 'id' : 'principal';
        context.note(`${pointer}/${from}`, 'in the audit that name stands for the gateway itself');
      }
      const grants = buildGrants(context, pointer, key, key.admin ?? false);
      return digest === undefined ? [] : [Object.freeze({ id: key.id, principal, digest, grants })];
    }),
  );
}

function digestOfKey(context: BuildContext, pointer: string, { key, digest }: KeyInput): Digest {
  if ((key === undefined) === (digest === undefined))
    return context.fail(pointer, 'a key has either key or digest');
  if (digest !== undefined) return digest as Digest;
  const text = context.secret(`${pointer}/key`, key ?? '').reveal();
  if (text.length < MIN_KEY_LENGTH || text.length > MAX_KEY_LENGTH || !/^[!-~]+$/.test(text)) {
    context.fail(
      `${pointer}/key`,
      `a key has ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} printable ASCII characters and no blank`,
    );
  }
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function buildGrants(context: BuildContext, pointer: string, input: GrantsInput, admin: boolean): Grants {
  const { tools = {}, routes, servers, limits } = input;
  try {
    return toGrants({
      toolsDefault: tools.default ?? 'deny',
      allow: tools.allow ?? [],
      deny: tools.deny ?? [],
      routes: routes ?? NO_GRANTS.routes,
      servers: servers ?? NO_GRANTS.servers,
      admin,
      limits: limits ?? {},
    });
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    context.note(pointer, error.message);
    return NO_GRANTS;
  }
}
