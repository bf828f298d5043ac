import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { GatewayError } from '../ports/gateway-error.ts';
import { type ConfigSource, readConfigValue, readJsonText, readYamlText } from './config-text.ts';
import type { GatewayConfig } from './gateway-config.ts';
import type { McpConfig } from './mcp-config.ts';
import type { Environment } from './missing-variables.ts';
import { readConfig, readMcpConfig } from './read-config.ts';

/** Settings of {@link loadConfig}. */
export interface LoadConfigOptions {
  /** Where placeholders are looked up; nothing is taken from anywhere else. */
  readonly env: Environment;
  /**
   * Runs a module and gives its exports, for configurations in `.mjs`, `.js`, `.ts` or `.mts`: the default export, or one
   * called `config`. Without it such files are refused.
   */
  readonly importModule?: (path: string) => Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Reads the configuration in a file: `.yaml`, `.yml`, `.json`, or a module. Relative paths in it begin at its folder.
 *
 * @throws GatewayError `gateway/config-unreadable` when there is no such file or its kind is unknown;
 * `gateway/config-invalid`, `gateway/secret-missing` for what is in it.
 */
export async function loadConfig(path: string, options: LoadConfigOptions): Promise<GatewayConfig> {
  return readConfig(await readSource(path, options), options.env, folderOf(path));
}

/**
 * Reads the MCP servers of the configuration in a file, and their lock. Keys and providers may be without their variables.
 *
 * @throws GatewayError as {@link loadConfig}.
 */
export async function loadMcpServers(path: string, options: LoadConfigOptions): Promise<McpConfig> {
  return readMcpConfig(await readSource(path, options), options.env, folderOf(path));
}

/** Where relative paths in a configuration begin. */
export function folderOf(path: string): string {
  return dirname(resolve(path));
}

/** Reads a file without checking what is in it. */
export async function readSource(path: string, { importModule }: LoadConfigOptions): Promise<ConfigSource> {
  const kind = extname(path).toLowerCase();
  if (kind === '.yaml' || kind === '.yml') return readYamlText(await readText(path));
  if (kind === '.json') return readJsonText(await readText(path));
  if (!['.mjs', '.js', '.mts', '.ts'].includes(kind) || importModule === undefined)
    throw unreadable(path, ': a configuration is a .yaml, .json or module file');
  const exported = await importModule(path);
  return readConfigValue(exported['default'] ?? exported['config']);
}

const WORDS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', ': there is no such file'],
  ['EACCES', ': this user may not read it'],
  ['EISDIR', ': it is a folder'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', ': it is not UTF-8'],
]);

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(path, WORDS.get(codeOf(cause)) ?? '', cause);
  }
}

function unreadable(path: string, why: string, cause?: unknown): GatewayError {
  return new GatewayError('gateway/config-unreadable', `The configuration ${path} cannot be read${why}.`, {
    ...(cause === undefined ? {} : { cause }),
  });
}
