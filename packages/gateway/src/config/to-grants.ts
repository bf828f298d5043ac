import { createScope, PolicyError, type Scope } from '@toolgate/core';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Access, Grants } from '../ports/principal.ts';

/** What a key may do that says nothing: all routes, and no tool, server or admin API. */
export const NO_GRANTS: Grants = Object.freeze({
  toolsDefault: 'deny',
  allow: Object.freeze([]),
  deny: Object.freeze([]),
  routes: 'all',
  servers: Object.freeze([]),
  admin: false,
  limits: Object.freeze({}),
});

const MAX_NAMES = 10_000;

/**
 * Grants with every member, detached.
 *
 * @throws GatewayError `gateway/entry-invalid` for a member that makes no sense.
 */
export function toGrants(given: Partial<Grants>): Grants {
  const { toolsDefault, allow, deny, routes, servers, admin, limits, ...others } = { ...NO_GRANTS, ...given };
  if (Object.keys(others).length > 0) throw invalid('there is a member of another name');
  if (toolsDefault !== 'allow' && toolsDefault !== 'deny') throw invalid('toolsDefault is allow or deny');
  if (typeof admin !== 'boolean') throw invalid('admin is true or false');
  if (toolsDefault === 'allow' && allow.length > 0)
    throw invalid('a list of allowed tools means nothing where all are allowed');
  const grants: Grants = Object.freeze({
    toolsDefault,
    allow: names('allow', allow),
    deny: names('deny', deny),
    routes: access('routes', routes),
    servers: access('servers', servers),
    admin,
    limits: Object.freeze({
      ...bound('requestsPerMinute', limits.requestsPerMinute),
      ...bound('concurrency', limits.concurrency),
    }),
  });
  scopeOfGrants(grants);
  return grants;
}

/**
 * The tools that grants name.
 *
 * @throws GatewayError `gateway/entry-invalid` for a name that no tool can have.
 */
export function scopeOfGrants({ toolsDefault, allow, deny }: Grants): Scope {
  try {
    return createScope(toolsDefault === 'deny' && allow.length > 0 ? { allow, deny } : { deny });
  } catch (cause) {
    if (!PolicyError.is(cause)) throw cause;
    throw new GatewayError('gateway/entry-invalid', 'A key names tools exactly; there are no patterns.', {
      cause,
    });
  }
}

function names(member: string, value: unknown): readonly string[] {
  const valid = Array.isArray(value) && value.length <= MAX_NAMES && value.every(isName);
  if (!valid) throw invalid(`${member} is a list of names`);
  return Object.freeze([...new Set<string>(value)]);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= 256;
}

function access(member: string, value: unknown): Access {
  return value === 'all' ? value : names(member, value);
}

function bound(member: string, value: unknown): Record<string, number> {
  if (value === undefined) return {};
  if (!Number.isSafeInteger(value) || Number(value) < 1)
    throw invalid(`${member} is a whole number above zero`);
  return { [member]: Number(value) };
}

function invalid(why: string): GatewayError {
  return new GatewayError('gateway/entry-invalid', `What a key may do cannot be read: ${why}.`);
}
