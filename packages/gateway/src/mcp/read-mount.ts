import { readFile } from 'node:fs/promises';
import type { Authorizer, Clock } from '@toolgate/core';
import {
  EMPTY_LOCK,
  McpError,
  type MountConfig,
  type MountEvent,
  type MountLock,
  readLock,
  type ServerTransport,
} from '@toolgate/mcp';
import type { McpConfig, McpServerConfig } from '../config/mcp-config.ts';
import type { Secret } from '../config/secret.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { McpCaller } from './mcp-exchange.ts';

/** What every mount of a gateway has in common. */
export interface MountBasics {
  readonly clock: Clock;
  readonly authorize: (server: string) => Authorizer<McpCaller>;
  readonly observe: (event: MountEvent) => void;
}

/**
 * Reads the lock of a configuration. A file that is not there holds no review: with `require` no tool is offered.
 *
 * @throws GatewayError `gateway/config-invalid` for a file that cannot be read or was edited.
 */
export async function readMountLock({ lock }: McpConfig): Promise<MountLock> {
  const { mode, path } = lock;
  if (mode === 'off') return mode;
  try {
    return { mode, file: readLock(await readFile(path)) };
  } catch (cause) {
    if (isMissing(cause)) return { mode, file: EMPTY_LOCK };
    const why = McpError.is(cause) ? whyOf(cause) : 'The file cannot be read.';
    throw new GatewayError('gateway/config-invalid', `The lock file ${path} is not usable: ${why}`, {
      cause,
      place: { pointer: '/mcp/lock' },
    });
  }
}

function whyOf({ message, pointer = '' }: McpError): string {
  return pointer === '' ? message : `${message} At ${pointer}.`;
}

/** How one server of the configuration is mounted. Its tools are always offered as `server__tool`. */
export function toMountConfig(
  server: McpServerConfig,
  lock: MountLock,
  { authorize, clock, observe }: MountBasics,
): MountConfig<McpCaller> {
  const { classes, name, timeoutMs } = server;
  const bounds = { timeoutMs, maxTimeoutMs: timeoutMs };
  return {
    name,
    prefix: true,
    lock,
    clock,
    observe,
    authorize: authorize(name),
    transport: toTransport(server.transport),
    rules: [
      ...classes.map((rule) => ({ tool: rule.tool, class: rule.class, ...bounds })),
      { tool: '*', ...bounds },
    ],
  };
}

/** Equal for servers that are mounted alike, secrets included: to be kept in memory only. */
export function mountIdentity({ transport, ...server }: McpServerConfig, lock: MountLock): string {
  const reviewed =
    lock === 'off' ? lock : { mode: lock.mode, server: lock.file.servers[server.name] ?? null };
  const reached = toTransport(transport);
  return JSON.stringify([
    { ...server, approvalThreshold: null },
    reached.kind === 'http' ? { ...reached, url: String(reached.url) } : reached,
    reviewed,
  ]);
}

function toTransport(transport: McpServerConfig['transport']): Exclude<ServerTransport, { kind: 'custom' }> {
  if (transport.kind === 'http') {
    return { kind: 'http', url: transport.url, headers: revealed(transport.headers) };
  }
  const { args, command, cwd, env } = transport;
  return { kind: 'stdio', command, args, env: revealed(env), ...(cwd === undefined ? {} : { cwd }) };
}

function revealed(secrets: ReadonlyMap<string, Secret>): Readonly<Record<string, string>> {
  return Object.fromEntries([...secrets].map(([name, secret]) => [name, secret.reveal()]));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
