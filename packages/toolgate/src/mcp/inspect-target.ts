import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { ConfigNote, ConfiguredServer, ConfiguredTransport, LockFile } from '@toolgate/mcp';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { loadMcpConfig } from './load-mcp-config.ts';

/** What `toolgate mcp inspect` looks at. */
export interface InspectTarget {
  readonly servers: readonly ConfiguredServer[];
  /** What was reviewed; `undefined` where nothing says so. */
  readonly lock: LockFile | undefined;
  /** What a person should know about the configuration. */
  readonly notes: readonly ConfigNote[];
}

/** What is given to a server besides. */
export interface TargetOptions {
  /** `NAME`, taken from this process, or `NAME=VALUE`. */
  readonly env: readonly string[];
  /** `Name: value`. */
  readonly header: readonly string[];
}

const CONFIGS: ReadonlySet<string> = new Set(['.json', '.jsonc', '.json5', '.yaml', '.yml']);

/**
 * Takes a command line apart: an address, the file of a configuration, or a command with its arguments.
 *
 * @throws CliError `cli/usage`; what reading a configuration throws.
 */
export async function readTarget(
  words: readonly string[],
  options: TargetOptions,
  io: CliIo,
): Promise<InspectTarget> {
  const [first = '', ...rest] = words;
  const isUrl = /^https?:\/\//iu.test(first);
  const isConfig =
    first === '-' || (CONFIGS.has(extname(first).toLowerCase()) && existsSync(resolve(io.cwd, first)));
  const [surplus] = rest;
  if ((isUrl || isConfig) && surplus !== undefined) {
    throw new CliError(
      'cli/usage',
      `There is too much behind the server: ${JSON.stringify(surplus.slice(0, 80))}.`,
    );
  }
  if (isConfig) {
    const { config, lock } = await loadMcpConfig(first, io);
    return { servers: config.servers, lock, notes: config.notes };
  }
  const transport: ConfiguredTransport = isUrl
    ? { kind: 'http', url: readUrl(first), headers: readHeaders(options.header) }
    : { kind: 'stdio', command: first, args: rest, env: readVariables(options.env, io), cwd: io.cwd };
  const server = { name: 'server', mountName: 'server', disabled: false, transport };
  return { servers: [{ ...server, rules: [], secrets: [], unknown: {} }], lock: undefined, notes: [] };
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) throw new CliError('cli/usage', 'The address of the server cannot be read.');
  if (url.username === '' && url.password === '') return url.href;
  throw new CliError('cli/usage', 'An address cannot hold a name and a password: give a --header.');
}

function readVariables(given: readonly string[], io: CliIo): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((word) => {
      const equals = word.indexOf('=');
      const name = equals < 0 ? word : word.slice(0, equals);
      const value = equals < 0 ? io.env[name] : word.slice(equals + 1);
      if (name !== '' && value !== undefined) return [name, value];
      throw new CliError('cli/usage', 'A variable is NAME=VALUE, or the NAME of one that is set.');
    }),
  );
}

function readHeaders(given: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Headers();
  for (const word of given) {
    const colon = word.indexOf(':');
    try {
      if (colon < 1) throw new TypeError('no colon');
      headers.append(word.slice(0, colon).trim(), word.slice(colon + 1).trim());
    } catch (cause) {
      // Not its message, which quotes.
      throw new CliError('cli/usage', 'A header is written as "Name: value".', { cause });
    }
  }
  return Object.fromEntries(headers);
}
