import {
  appendPointer,
  digestText,
  JSON_ERROR_CODES,
  JsonError,
  type JsonObject,
  type JsonValue,
  readJson,
} from '@toolgate/core';
import { isServerName } from '../intake/offered-name.ts';
import { LOCK_FILE_NAME, LOCK_MODES, type LockMode } from '../lock/lock-file.ts';
import { asObject, asText, configFault, optional } from './config-fault.ts';
import type { VariableSource } from './expand-variables.ts';
import type { ConfigNote, ConfiguredServer, McpConfig, ToolRuleConfig } from './mcp-config.ts';
import { readServer } from './read-server.ts';
import { readToolRules } from './read-tool-rules.ts';
import { stripComments } from './strip-comments.ts';

/** Where the values of variables come from. */
export interface ReadMcpConfigOptions {
  /** Nothing else is looked up: `process.env`, or less. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `${workspaceFolder}` stands for, and where a relative `cwd` starts. */
  readonly folder?: string;
}

/** Bytes of a configuration: 1 MiB. */
const MAX_BYTES = 1_048_576;
/** Top-level members of editors that say nothing about servers. */
const SILENT: ReadonlySet<string> = new Set([
  '$schema',
  'inputs',
  'mcpServers',
  'servers',
  'toolgate',
  'mcp',
]);

/**
 * Reads the configuration of MCP servers that people have for their editors: `mcpServers`, or `servers` of VS Code
 * (also within `mcp` of its settings), with comments and trailing commas. Besides, a member `toolgate` may hold rules
 * and the place and mode of the lock file.
 *
 * @throws {@link McpError} `mcp/config-invalid`, `mcp/config-variable`, both with the place and never with a value of
 * the file.
 */
export function readMcpConfig(text: string, options: ReadMcpConfigOptions): McpConfig {
  const file = asObject(readText(text), '');
  const source: VariableSource = { env: options.env, folder: options.folder };
  const entries = listServers(file);
  const section = readSection(optional(file, 'toolgate') ?? {}, new Set(entries.map(({ name }) => name)));
  const notes: ConfigNote[] = Object.keys(file)
    .filter((member) => !SILENT.has(member))
    .map((member) => ({
      kind: 'ignored',
      pointer: appendPointer('', member),
      text: 'This member means nothing here.',
    }));
  const servers = entries.map(({ name, value, pointer }): ConfiguredServer => {
    const { notes: own, withheld, ...server } = readServer(name, value, source, pointer);
    notes.push(...own);
    return Object.freeze({
      ...server,
      mountName: toMountName(name),
      rules: Object.freeze([...withheld, ...(section.rules.get(name) ?? [])]),
    });
  });
  return Object.freeze({
    servers: Object.freeze(servers),
    lock: section.lock,
    notes: Object.freeze(notes),
  });
}

function readText(text: string): JsonValue {
  try {
    // Windows editors write a byte order mark.
    return readJson(stripComments(text.replace(/^\ufeff/u, '')), { maxBytes: MAX_BYTES });
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    const place = error.line === undefined ? '' : ` (line ${error.line}, column ${error.column})`;
    // Not its message, which quotes: what stands there may be a secret.
    throw configFault(
      `The configuration cannot be read: ${JSON_ERROR_CODES[error.code]}${place}.`,
      error.pointer,
    );
  }
}

interface Entry {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: string;
}

function listServers(file: JsonObject): readonly Entry[] {
  const nested = optional(file, 'mcp');
  const lists = [
    ['/mcpServers', optional(file, 'mcpServers')],
    ['/servers', optional(file, 'servers')],
    ['/mcp/servers', nested === undefined ? undefined : optional(asObject(nested, '/mcp'), 'servers')],
  ] as const;
  const found = lists.filter(([, list]) => list !== undefined);
  if (found.length === 0) {
    throw configFault('There are no servers here: "mcpServers" is expected, or "servers" as in VS Code.', '');
  }
  const entries = new Map<string, Entry>();
  for (const [at, list] of found) {
    for (const [name, value] of Object.entries(asObject(list, at))) {
      const pointer = appendPointer(at, name);
      if (name === '') throw configFault('A server has to have a name.', pointer);
      if (entries.has(name)) throw configFault('This server stands in the file twice.', pointer);
      entries.set(name, { name, value, pointer });
    }
  }
  return [...entries.values()];
}

/** Editors take any text for a name; a mount needs one that can stand in the names of tools. */
function toMountName(name: string): string {
  const isLegal: boolean = isServerName(name);
  if (isLegal) return name;
  const hash = digestText(name).slice('sha256:'.length, 'sha256:'.length + 8);
  const legal = name.replace(/[^A-Za-z0-9_-]+/gu, '_').replace(/^[_-]+|[_-]+$/gu, '');
  return `${legal === '' ? 'server' : legal.slice(0, 40)}_${hash}`;
}

interface Section {
  readonly rules: ReadonlyMap<string, readonly ToolRuleConfig[]>;
  readonly lock: McpConfig['lock'];
}

function readSection(value: JsonValue, names: ReadonlySet<string>): Section {
  const section = asObject(value, '/toolgate');
  checkMembers(section, ['lock', 'servers'], '/toolgate');
  const rules = new Map<string, readonly ToolRuleConfig[]>();
  const at = '/toolgate/servers';
  for (const [name, entry] of Object.entries(asObject(optional(section, 'servers') ?? {}, at))) {
    const pointer = appendPointer(at, name);
    if (!names.has(name)) throw configFault('There is no server of this name.', pointer);
    const server = asObject(entry, pointer);
    checkMembers(server, ['rules'], pointer);
    rules.set(name, readToolRules(optional(server, 'rules') ?? [], `${pointer}/rules`));
  }
  return { rules, lock: readLockSection(optional(section, 'lock') ?? {}) };
}

function readLockSection(value: JsonValue): McpConfig['lock'] {
  const lock = asObject(value, '/toolgate/lock');
  checkMembers(lock, ['file', 'mode'], '/toolgate/lock');
  const file = asText(optional(lock, 'file') ?? LOCK_FILE_NAME, '/toolgate/lock/file');
  if (file === '') throw configFault('The lock file needs a name.', '/toolgate/lock/file');
  const written = optional(lock, 'mode') ?? 'require';
  const mode: LockMode | undefined = LOCK_MODES.find((each) => each === written);
  if (mode === undefined) throw configFault('A mode is require, warn or off.', '/toolgate/lock/mode');
  return Object.freeze({ file, mode });
}

/** What Toolgate is told is not guessed at: a member that is misspelt would be a rule that nobody keeps. */
function checkMembers(value: JsonObject, known: readonly string[], pointer: string): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw configFault('This member is not known.', appendPointer(pointer, unknown));
}
