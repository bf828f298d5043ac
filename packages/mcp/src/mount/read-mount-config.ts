import { type Authorizer, type Clock, ignoreThrown, type Redactor, systemClock } from '@toolgate/core';
import type { ConnectPlan } from '../client/connect-client.ts';
import { toHttpUrl } from '../client/server-transport.ts';
import type { ListLimits } from '../intake/list-tools.ts';
import { isServerName } from '../intake/offered-name.ts';
import { type Backoff, DEFAULT_BACKOFF } from '../lifecycle/backoff.ts';
import { secretsOf } from '../lifecycle/unavailable.ts';
import { McpError } from '../mcp-error.ts';
import type { MountConfig, MountLimits, MountLock } from './mount-config.ts';
import type { MountEvent } from './mount-event.ts';
import { type ReadyRule, readRules } from './mount-rule.ts';

/** A configuration that was checked, with every default filled in. */
export interface MountSettings<Context> {
  readonly name: string;
  readonly prefix: boolean;
  readonly lock: MountLock;
  readonly rules: readonly ReadyRule<Context>[];
  readonly hidden: 'quarantine' | 'report';
  readonly authorize: Authorizer<Context> | undefined;
  readonly plan: ConnectPlan;
  readonly list: ListLimits;
  readonly backoff: Backoff;
  readonly settleMs: number;
  readonly redact: Redactor;
  readonly observe: (event: MountEvent) => void;
  readonly clock: Clock;
}

const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'transport',
  'lock',
  'rules',
  'authorize',
  'prefix',
  'hidden',
  'limits',
  'hooks',
  'protocol',
  'secrets',
  'observe',
  'signal',
  'clock',
]);

const NUMBERS = {
  connectTimeoutMs: 30_000,
  listTimeoutMs: 30_000,
  maxPages: 1_000,
  maxTools: 20_000,
  maxListBytes: 64 * 1024 * 1024,
  maxMessageBytes: 16 * 1024 * 1024,
  maxUnasked: 5_000,
  closeGraceMs: 2_000,
  settleMs: 250,
} as const satisfies Partial<Record<keyof MountLimits, number>>;

/**
 * Reads a configuration once.
 *
 * @throws {@link McpError} `mcp/options-invalid` for an unknown field, a name that is none, a missing lock, a rule or a
 * limit that makes no sense.
 */
export function readMountConfig<Context>(config: MountConfig<Context>): MountSettings<Context> {
  if (typeof config !== 'object' || config === null) refuse('A mount is made of an object.', '');
  const unknown = Object.keys(config).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) refuse(`A mount has an unknown field; it takes ${[...FIELDS].join(', ')}.`, '');
  const { name, transport, lock, rules = [], prefix = false, hidden = 'quarantine' } = config;
  if (!isServerName(name)) {
    refuse('The name of a server has 1 to 64 of the characters A-Z a-z 0-9 _ - and a dot.', '/name');
  }
  checkTransport(transport);
  checkLock(lock);
  if (config.authorize !== undefined && typeof config.authorize !== 'function') {
    refuse('authorize is a function.', '/authorize');
  }
  if (hidden !== 'quarantine' && hidden !== 'report') refuse('hidden is quarantine or report.', '/hidden');
  const limits = readLimits(config.limits ?? {});
  const { connectTimeoutMs, maxUnasked, maxMessageBytes, closeGraceMs, settleMs, ...list } = limits;
  const { clock = systemClock, observe, protocol = 'auto' } = config;
  return Object.freeze({
    name,
    prefix,
    lock,
    rules: readRules(rules),
    hidden,
    authorize: config.authorize,
    list,
    backoff: readBackoff(config.limits?.restartMs),
    settleMs,
    redact: secretsOf(transport, config.secrets ?? []),
    clock,
    observe: (event: MountEvent) => {
      try {
        ignoreThrown(observe?.(event));
      } catch (thrown) {
        ignoreThrown(thrown);
        // An observer is told; it decides nothing.
      }
    },
    plan: Object.freeze({
      server: Object.freeze({ ...transport }),
      hooks: Object.freeze({ ...config.hooks }),
      protocol,
      limits: Object.freeze({ connectTimeoutMs, maxUnasked, maxMessageBytes, closeGraceMs }),
      clock,
    }),
  });
}

function checkTransport(transport: MountConfig['transport']): void {
  switch (transport?.kind) {
    case 'stdio':
      if (typeof transport.command !== 'string' || transport.command === '') {
        refuse('The command of a server is missing.', '/transport/command');
      }
      return;
    case 'http':
      toHttpUrl(transport.url);
      return;
    case 'custom':
      if (typeof transport.open !== 'function') refuse('open is a function.', '/transport/open');
      return;
    default:
      refuse('A transport is of kind stdio, http or custom.', '/transport');
  }
}

function checkLock(lock: MountLock | undefined): void {
  if (lock === 'off') return;
  const mode = lock?.mode;
  if ((mode === 'require' || mode === 'warn') && typeof lock?.file?.servers === 'object') return;
  refuse(
    "The lock of a mount is { mode: 'require' | 'warn', file }, or 'off', which has to be written.",
    '/lock',
  );
}

function readLimits(limits: MountLimits): { readonly [Name in keyof typeof NUMBERS]: number } {
  const read = (name: keyof typeof NUMBERS): number => {
    const value = limits[name] ?? NUMBERS[name];
    if (Number.isSafeInteger(value) && value > 0) return value;
    return refuse('A limit is a positive whole number.', `/limits/${name}`);
  };
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
  const unknown = Object.keys(limits).find((name) => !Object.hasOwn(NUMBERS, name) && name !== 'restartMs');
  if (unknown !== undefined)
    refuse(`There is an unknown limit; there are ${names.join(', ')}, restartMs.`, '/limits');
  return Object.fromEntries(names.map((name) => [name, read(name)])) as ReturnType<typeof readLimits>;
}

function readBackoff(restart: MountLimits['restartMs']): Backoff {
  if (restart === undefined) return DEFAULT_BACKOFF;
  const { first, max } = restart;
  if (first > 0 && max >= first && Number.isFinite(max)) return Object.freeze({ firstMs: first, maxMs: max });
  return refuse('restartMs is { first, max } in milliseconds, max at least first.', '/limits/restartMs');
}

function refuse(message: string, pointer: string): never {
  throw new McpError('mcp/options-invalid', message, { pointer });
}
