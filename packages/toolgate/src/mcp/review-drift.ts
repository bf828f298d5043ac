import type { Finding, MountReport, ToolDrift } from '@toolgate/mcp';
import type { CliIo } from '../terminal/cli-io.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { formatDriftBody, formatDriftLine } from './format-drift.ts';

/** What came of the review of one server. */
export interface Review {
  readonly accepted: readonly ToolDrift[];
  readonly refused: readonly ToolDrift[];
}

/** Who decides: a person, or the answer yes that was given beforehand. */
export type Reviewer =
  | { readonly kind: 'yes' }
  | { readonly kind: 'person'; readonly ask: NonNullable<CliIo['ask']> };

/**
 * Puts each tool that drifted to somebody, with everything that a model would see of it. A yes for all never covers
 * what hides something from its reader: that is asked about alone, or refused.
 *
 * @returns `undefined` when the person gave up.
 */
export async function reviewDrift(
  report: MountReport,
  reviewer: Reviewer,
  io: CliIo,
): Promise<Review | undefined> {
  const accepted: ToolDrift[] = [];
  const refused: ToolDrift[] = [];
  const findings = new Map(report.tools.map(({ tool, findings: found }) => [tool, found]));
  let all = reviewer.kind === 'yes';
  for (const drift of report.drift?.drift ?? []) {
    if (drift.kind === 'unpinnable') {
      refused.push(drift);
      continue;
    }
    const found = drift.kind === 'removed' ? [] : (findings.get(drift.tool) ?? []);
    if (all && !found.some(hides)) accepted.push(drift);
    else if (reviewer.kind === 'yes') refused.push(drift);
    else {
      await show(drift, found, io);
      const answer = await askAbout(report.server, reviewer.ask, io.signal);
      if (answer === undefined) return undefined;
      all ||= answer === 'all';
      (answer === 'no' ? refused : accepted).push(drift);
    }
  }
  return { accepted, refused };
}

/** Whether a reader of this does not see what a model sees. */
export function hides({ kind }: Finding): boolean {
  return kind === 'hidden-characters' || kind === 'hidden-markup';
}

/** Findings in lines. */
export function formatFindings(findings: readonly Finding[], paint: Paint): string {
  return findings
    .map(({ kind, pointer, detail }) => {
      const place = pointer === '' ? '' : `  ${safeText(pointer, 200)}`;
      return `  ${paint('warning', kind)}${place}  ${safeText(detail)}\n`;
    })
    .join('');
}

async function show(drift: ToolDrift, findings: readonly Finding[], io: CliIo): Promise<void> {
  const paint = createPaint(io.stderr, io.env);
  await io.stderr.write(
    `\n${formatDriftLine(drift, paint)}${formatDriftBody(drift, paint)}${formatFindings(findings, paint)}`,
  );
}

type Answer = 'yes' | 'no' | 'all';

async function askAbout(
  server: string,
  ask: NonNullable<CliIo['ask']>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  for (;;) {
    const line = await ask(`[y]es / [n]o / [a]ll of ${server} / [q]uit: `, signal);
    switch (line?.trim().toLowerCase()) {
      case 'y':
      case 'yes':
        return 'yes';
      case 'n':
      case 'no':
        return 'no';
      case 'a':
      case 'all':
        return 'all';
      case 'q':
      case 'quit':
      case undefined:
        return undefined;
    }
  }
}
