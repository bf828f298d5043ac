import { EMPTY_LOCK, type ToolDrift } from '@toolgate/mcp';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { formatDriftLine } from './format-drift.ts';
import { formatServer } from './format-mount.ts';
import { loadMcpConfig } from './load-mcp-config.ts';
import { acceptDrift } from './lock-state.ts';
import { mountServers, type ServerMount } from './mount-servers.ts';
import { type Review, type Reviewer, reviewDrift } from './review-drift.ts';
import { toServerJson } from './server-json.ts';
import { writeLockFile } from './write-lock-file.ts';

/** Options of `toolgate lock`. */
export interface LockOptions {
  readonly json: boolean;
  /** Accept everything but what hides something from its reader. */
  readonly yes: boolean;
}

interface Reviewed {
  readonly each: ServerMount;
  readonly review: Review;
}

/**
 * Puts the tools of all servers that are new or changed to the person at the terminal, and writes what was accepted.
 *
 * @returns The exit code: 1 when something was not accepted or a server could not be asked.
 * @throws CliError `cli/review-needed`, `cli/lock-unwritable`
 */
export async function lockConfig(file: string, { json, yes }: LockOptions, io: CliIo): Promise<number> {
  const loaded = await loadMcpConfig(file, io);
  const mounts = await mountServers(loaded.config.servers, {
    lock: { mode: 'warn', file: loaded.lock ?? EMPTY_LOCK },
    hidden: 'report',
    signal: io.signal,
  });
  try {
    const reviewed = await reviewAll(mounts.servers, toReviewer(mounts.servers, yes, io), io);
    const accepted = reviewed.flatMap(({ each, review }) =>
      each.kind === 'mounted' ? [{ server: each.server.mountName, accepted: review.accepted }] : [],
    );
    const changes = accepted.some((each) => each.accepted.length > 0);
    const written = changes || (loaded.lock === undefined && accepted.length > 0);
    if (written) await writeLockFile(loaded.lockPath, acceptDrift(loaded.lock, accepted));
    await report(reviewed, { json, written, lockPath: loaded.lockPath }, io);
    return reviewed.every(({ each, review }) => each.kind !== 'failed' && review.refused.length === 0)
      ? 0
      : 1;
  } finally {
    await mounts.close();
  }
}

const NOTHING: Review = Object.freeze({ accepted: Object.freeze([]), refused: Object.freeze([]) });

function toReviewer(servers: readonly ServerMount[], yes: boolean, io: CliIo): Reviewer {
  if (yes) return { kind: 'yes' };
  if (io.ask !== undefined) return { kind: 'person', ask: io.ask };
  const count = servers.reduce((sum, each) => sum + driftOf(each).length, 0);
  if (count === 0) return { kind: 'yes' };
  throw new CliError(
    'cli/review-needed',
    `${countOf(count, 'tool')} to review, and nobody can be asked: run this at a terminal, look with "toolgate diff", or accept all with --yes.`,
  );
}

function driftOf(each: ServerMount): readonly ToolDrift[] {
  return each.kind === 'mounted' ? (each.mount.report.drift?.drift ?? []) : [];
}

async function reviewAll(
  servers: readonly ServerMount[],
  reviewer: Reviewer,
  io: CliIo,
): Promise<readonly Reviewed[]> {
  const reviewed: Reviewed[] = [];
  for (const each of servers) {
    if (each.kind !== 'mounted') {
      reviewed.push({ each, review: NOTHING });
      continue;
    }
    if (reviewer.kind === 'person' && driftOf(each).length > 0) {
      await io.stderr.write(`\n${formatServer(each, createPaint(io.stderr, io.env))}`);
    }
    const review = await reviewDrift(each.mount.report, reviewer, io);
    if (review === undefined)
      throw new CliError('cli/review-needed', 'The review was given up; nothing was written.');
    reviewed.push({ each, review });
  }
  return reviewed;
}

interface Written {
  readonly json: boolean;
  readonly written: boolean;
  readonly lockPath: string;
}

async function report(
  reviewed: readonly Reviewed[],
  { json, written, lockPath }: Written,
  io: CliIo,
): Promise<void> {
  if (json) {
    const servers = reviewed.map(({ each, review }) => {
      const { drift: _, ...server } = toServerJson(each);
      return { ...server, accepted: review.accepted.map(toEntry), refused: review.refused.map(toEntry) };
    });
    await io.stdout.write(`${jsonText({ lockFile: lockPath, written, servers }, 2)}\n`);
    return;
  }
  const paint = createPaint(io.stdout, io.env);
  await io.stdout.write(reviewed.map((each) => formatReviewed(each, paint)).join(''));
  const words = written ? paint('good', 'written') : 'nothing to write';
  await io.stdout.write(`${safeText(lockPath, 400)}  ${words}\n`);
}

function toEntry({ kind, tool }: ToolDrift): { readonly kind: ToolDrift['kind']; readonly tool: string } {
  return { kind, tool };
}

function formatReviewed({ each, review: { accepted, refused } }: Reviewed, paint: Paint): string {
  const same = each.kind === 'mounted' ? (each.mount.report.drift?.unchanged ?? 0) : 0;
  const total =
    each.kind === 'mounted'
      ? `${countOf(same, 'tool')} as reviewed, ${paint('good', `${accepted.length} accepted`)}, ${paint(
          refused.length === 0 ? 'good' : 'bad',
          `${refused.length} not`,
        )}\n`
      : '';
  return `${formatServer(each, paint)}${refused.map((drift) => formatDriftLine(drift, paint)).join('')}${total}`;
}
