import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { type LockFile, type McpConfig, McpError, readLock, readMcpConfig } from '@toolgate/mcp';
import { CliError } from '../cli-error.ts';
import { readTextInput } from '../input/read-input.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { createPaint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { isGatewayConfig, readGatewayServers } from './gateway-servers.ts';

/** A configuration of servers, and what was reviewed of them. */
export interface LoadedConfig {
  readonly config: McpConfig;
  /** Absolute. */
  readonly lockPath: string;
  /** `undefined` where there is no such file. One that cannot be read is an error. */
  readonly lock: LockFile | undefined;
}

/** How no editor writes its servers. */
const GATEWAY_KINDS = /^\.(?:ya?ml|[mc]?[jt]s)$/iu;
/** Bytes; the reader takes no more either. */
const MAX_BYTES = 1_048_576;

/**
 * Reads a configuration as editors write it, or that of a gateway, and the lock file next to it.
 *
 * @param file - A path, or `-` for standard input; then everything starts at the present folder.
 * @throws CliError `cli/usage`, `cli/input-unreadable`, `cli/input-too-large`, `cli/input-not-text`; McpError `mcp/config-invalid`,
 * `mcp/config-variable`, `mcp/lock-invalid`, `mcp/lock-edited`; GatewayError `gateway/config-unreadable`, `gateway/config-invalid`,
 * `gateway/secret-missing`
 */
export async function loadMcpConfig(file: string, io: CliIo): Promise<LoadedConfig> {
  if (GATEWAY_KINDS.test(extname(file))) return loadGatewayServers(file, io);
  const text = await readTextInput(file, io, MAX_BYTES);
  if (file !== '-' && isGatewayConfig(text)) return loadGatewayServers(file, io);
  const folder = file === '-' ? io.cwd : dirname(resolve(io.cwd, file));
  // `.vscode/mcp.json` and its like belong to the folder above.
  const workspace = basename(folder).startsWith('.') ? dirname(folder) : folder;
  const config = readMcpConfig(text, { env: io.env, folder: workspace });
  const lockPath = resolve(folder, config.lock.file);
  const paint = createPaint(io.stderr, io.env);
  for (const { kind, pointer, text: words } of config.notes) {
    // What is used otherwise than it is written is told whatever the command is.
    if (kind === 'unsupported') {
      await io.stderr.write(`${paint('warning', 'note')}  ${safeText(pointer, 200)}  ${words}\n`);
    }
  }
  return { config, lockPath, lock: await loadLock(lockPath) };
}

async function loadGatewayServers(file: string, io: CliIo): Promise<LoadedConfig> {
  const config = await readGatewayServers(resolve(io.cwd, file), io);
  const lockPath = config.lock.file;
  return { config, lockPath, lock: await loadLock(lockPath) };
}

async function loadLock(path: string): Promise<LockFile | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new CliError('cli/input-unreadable', `The lock file ${safeText(path, 200)} cannot be read.`, {
      cause,
    });
  }
  try {
    return readLock(bytes);
  } catch (cause) {
    if (!McpError.is(cause)) throw cause;
    const { code, message, pointer } = cause;
    throw new McpError(code, `The lock file ${safeText(path, 200)} is not usable: ${message}`, {
      pointer,
      cause,
    });
  }
}
