import { EMPTY_LOCK } from '@toolgate/mcp';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { formatDrift } from './format-drift.ts';
import { formatServer } from './format-mount.ts';
import { loadMcpConfig } from './load-mcp-config.ts';
import { mountServers, type ServerMount } from './mount-servers.ts';
import { toServerJson } from './server-json.ts';

/** Options of `toolgate diff`. */
export interface DiffOptions {
  readonly json: boolean;
}

/**
 * Shows how the tools that servers list now differ from what was reviewed. Changes nothing.
 *
 * @returns The exit code: 1 when something drifted or a server cannot be asked.
 */
export async function diffConfig(file: string, { json }: DiffOptions, io: CliIo): Promise<number> {
  const { config, lock, lockPath } = await loadMcpConfig(file, io);
  const mounts = await mountServers(config.servers, {
    // Only the drift is wanted; nothing is called.
    lock: { mode: 'warn', file: lock ?? EMPTY_LOCK },
    hidden: 'report',
    signal: io.signal,
  });
  try {
    const drifted = mounts.servers.filter(hasDrift).length;
    const failed = mounts.servers.filter(({ kind }) => kind === 'failed').length;
    if (json) {
      const servers = mounts.servers.map((each) => toServerJson(each));
      await io.stdout.write(`${jsonText({ servers, summary: { drifted, failed } }, 2)}\n`);
    } else {
      const paint = createPaint(io.stdout, io.env);
      if (lock === undefined)
        await io.stderr.write(`There is no lock file yet (${safeText(lockPath, 200)}).\n`);
      for (const each of mounts.servers) await io.stdout.write(formatServerDrift(each, paint));
    }
    return drifted + failed === 0 ? 0 : 1;
  } finally {
    await mounts.close();
  }
}

function hasDrift(each: ServerMount): boolean {
  return each.kind === 'mounted' && (each.mount.report.drift?.drift.length ?? 0) > 0;
}

function formatServerDrift(each: ServerMount, paint: Paint): string {
  const drift = each.kind === 'mounted' ? each.mount.report.drift : undefined;
  const title = formatServer(each, paint);
  if (drift === undefined) return title;
  const same = `${paint('good', countOf(drift.unchanged, 'tool'))} as reviewed\n`;
  return `${title}${formatDrift(drift, paint)}${same}`;
}
