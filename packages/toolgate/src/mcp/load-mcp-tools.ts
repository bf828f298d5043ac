import type { Binding } from '@toolgate/core';
import { type ConfiguredServer, EMPTY_LOCK, type MountLock, type MountReport } from '@toolgate/mcp';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { createPaint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { type LoadedConfig, loadMcpConfig } from './load-mcp-config.ts';
import { mountServers, type ServerMount, type ServerMounts } from './mount-servers.ts';

/** Tools of mounted servers, which have to be closed. */
export interface McpTools {
  readonly tools: readonly Binding[];
  /** What was given to servers and must not appear in an output. */
  readonly secrets: readonly string[];
  /** Ends every connection and child process, and waits for them. */
  readonly close: () => Promise<void>;
}

/**
 * Mounts the servers of configurations as their lock files allow. A run needs all of them: the first one that cannot
 * be reached ends it. What is held back is told in the stream of errors.
 *
 * @throws CliError `cli/server-failed`, `cli/review-needed` when everything is held back; what reading a configuration
 * throws; the reason of the signal. Nothing is left running then.
 */
export async function loadMcpTools(files: readonly string[], io: CliIo): Promise<McpTools> {
  const configs: LoadedConfig[] = [];
  for (const file of files) configs.push(await loadMcpConfig(file, io));
  const servers = configs.flatMap(({ config }) => config.servers.filter(({ disabled }) => !disabled));
  const prefix = servers.length > 1;
  const mounts: ServerMounts[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(mounts.map((each) => each.close()));
  };
  try {
    for (const [index, loaded] of configs.entries()) {
      mounts.push(
        await mountServers(loaded.config.servers, { lock: lockOf(loaded), prefix, signal: io.signal }),
      );
      await tell(mounts.at(-1)?.servers ?? [], files[index] ?? '', io);
    }
    const tools = mounts.flatMap((each) => each.servers).flatMap(toolsOf);
    checkOffered(mounts, tools.length);
    return { tools, secrets: servers.flatMap(({ secrets }: ConfiguredServer) => secrets), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function lockOf({ config, lock }: LoadedConfig): MountLock {
  const { mode } = config.lock;
  return mode === 'off' ? 'off' : { mode, file: lock ?? EMPTY_LOCK };
}

function toolsOf(each: ServerMount): readonly Binding[] {
  return each.kind === 'mounted' ? each.mount.tools : [];
}

function checkOffered(mounts: readonly ServerMounts[], offered: number): void {
  const servers = mounts.flatMap((each) => each.servers);
  const held = servers.reduce((sum, each) => sum + heldBack(each).length, 0);
  if (offered > 0 || held === 0) return;
  throw new CliError(
    'cli/review-needed',
    `All tools of the servers are held back, because nobody has reviewed them as they are: run "toolgate lock" with the configuration.`,
  );
}

/** @throws CliError `cli/server-failed` */
async function tell(servers: readonly ServerMount[], file: string, io: CliIo): Promise<void> {
  const paint = createPaint(io.stderr, io.env);
  for (const each of servers) {
    if (each.kind === 'failed') throw toFailure(each);
    const name = paint('warning', safeText(each.server.name, 80));
    const look = `toolgate diff ${safeText(file, 200)}`;
    const lines: string[] = [];
    const held = heldBack(each).length;
    const changed = changedButOffered(each);
    if (held > 0) {
      lines.push(
        `${countOf(held, 'tool is', 'tools are')} held back until somebody has reviewed them: ${look}`,
      );
    }
    if (changed > 0) {
      lines.push(
        `${countOf(changed, 'tool was', 'tools were')} never reviewed as now, and can be used all the same (lock mode warn): ${look}`,
      );
    }
    for (const tool of toolsListed(each)) {
      if (tool.kind === 'disabled')
        lines.push(`${safeText(tool.tool, 80)} cannot be used: ${safeText(tool.reason)}`);
    }
    for (const line of lines) await io.stderr.write(`${name}  ${line}\n`);
  }
}

function toFailure({
  server,
  message,
  code,
  detail,
}: Extract<ServerMount, { readonly kind: 'failed' }>): CliError {
  const said = detail === undefined ? '' : ` The server wrote: ${safeText(detail.trim(), 400)}`;
  return new CliError(
    'cli/server-failed',
    `The server ${safeText(server.name, 80)} cannot be used: ${message} (${code})${said}`,
  );
}

function toolsListed(each: ServerMount): MountReport['tools'] {
  return each.kind === 'mounted' ? each.mount.report.tools : [];
}

function heldBack(each: ServerMount): MountReport['tools'] {
  return toolsListed(each).filter(({ kind }) => kind === 'quarantined');
}

/** Tools that drifted and are offered; only where the lock does not hold them back. */
function changedButOffered(each: ServerMount): number {
  if (each.kind !== 'mounted') return 0;
  const drifted = new Set(each.mount.report.drift?.drift.map(({ tool }) => tool));
  return toolsListed(each).filter(({ kind, tool }) => kind === 'offered' && drifted.has(tool)).length;
}
