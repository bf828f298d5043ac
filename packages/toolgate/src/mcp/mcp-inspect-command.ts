import { type ConfigNote, EMPTY_LOCK, type LockFile } from '@toolgate/mcp';
import { formatDetails, REPORT_COLUMNS, reportRow } from '../inspect/format-report.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf, formatCount } from '../terminal/format-count.ts';
import { type Cell, type Column, formatTable } from '../terminal/format-table.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint, type Paint, type Tone } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { formatDrift } from './format-drift.ts';
import { formatServer } from './format-mount.ts';
import { readTarget, type TargetOptions } from './inspect-target.ts';
import { mountServers, type ServerMount } from './mount-servers.ts';
import { type LockStanding, type MountedToolReport, reportMounted } from './mounted-reports.ts';
import { formatFindings } from './review-drift.ts';
import { toServerJson } from './server-json.ts';

/** Options of `toolgate mcp inspect`. */
export interface McpInspectOptions extends TargetOptions {
  readonly json: boolean;
  readonly details: boolean;
}

interface Inspected {
  readonly each: ServerMount;
  readonly tools: readonly MountedToolReport[];
}

/**
 * Connects to servers and reports on their tools: contracts, what drifted since a review, and what a reviewer should
 * look at. Calls nothing.
 *
 * @returns The exit code: 1 when a server cannot be reached, a tool cannot be used or hides something, or is another one
 * than was reviewed.
 */
export async function inspectMcp(
  words: readonly string[],
  options: McpInspectOptions,
  io: CliIo,
): Promise<number> {
  const { servers, lock, notes } = await readTarget(words, options, io);
  const mounts = await mountServers(servers, {
    lock: { mode: 'warn', file: lock ?? EMPTY_LOCK },
    hidden: 'report',
    signal: io.signal,
  });
  try {
    const inspected = mounts.servers.map(
      (each): Inspected => ({
        each,
        tools: each.kind === 'mounted' ? reportMounted(each.mount, lock) : [],
      }),
    );
    const errors = inspected.reduce((sum, each) => sum + countErrors(each), 0);
    await (options.json
      ? io.stdout.write(`${jsonText(toJson(inspected, { errors, lock, notes }), 2)}\n`)
      : showAll(inspected, { errors, lock, notes, details: options.details }, io));
    return errors === 0 ? 0 : 1;
  } finally {
    await mounts.close();
  }
}

function countErrors({ each, tools }: Inspected): number {
  if (each.kind === 'failed') return 1;
  return tools.filter(({ faults, lock }) => faults.length > 0 || lock === 'changed').length;
}

function toJson(inspected: readonly Inspected[], { errors, lock, notes }: Findings): object {
  const servers = inspected.map(({ each, tools }) => {
    const { drift, ...server } = toServerJson(each);
    // Without a lock everything drifted, and it would say so of each tool twice.
    return { ...server, ...(lock === undefined || drift === undefined ? {} : { drift }), tools };
  });
  const tools = inspected.reduce((sum, each) => sum + each.tools.length, 0);
  return { servers, notes, summary: { servers: servers.length, tools, errors } };
}

interface Findings {
  readonly errors: number;
  readonly lock: LockFile | undefined;
  readonly notes: readonly ConfigNote[];
}

interface ShowOptions extends Findings {
  readonly details: boolean;
}

async function showAll(inspected: readonly Inspected[], options: ShowOptions, io: CliIo): Promise<void> {
  const paint = createPaint(io.stdout, io.env);
  for (const each of inspected) {
    await io.stdout.write(formatInspected(each, options, { paint, width: io.stdout.columns }));
  }
  const { errors, notes } = options;
  await io.stdout.write(notes.map(({ pointer, text }) => formatNote(pointer, text, paint)).join(''));
  const tools = inspected.reduce((sum, each) => sum + each.tools.length, 0);
  const words = errors === 0 ? paint('good', 'no errors') : paint('bad', countOf(errors, 'error'));
  await io.stdout.write(`${countOf(inspected.length, 'server')}, ${countOf(tools, 'tool')}, ${words}\n`);
}

const COLUMNS: readonly Column[] = [
  ...REPORT_COLUMNS.slice(0, 3),
  { title: 'LOCK' },
  { title: 'FINDINGS', align: 'right' },
  ...REPORT_COLUMNS.slice(3),
];
const STANDINGS: Readonly<Record<LockStanding, Tone>> = {
  reviewed: 'good',
  changed: 'bad',
  new: 'warning',
  none: 'quiet',
};

function formatInspected(
  { each, tools }: Inspected,
  { lock, details }: ShowOptions,
  view: { readonly paint: Paint; readonly width: number | undefined },
): string {
  const { paint } = view;
  const drift = each.kind === 'mounted' && lock !== undefined ? each.mount.report.drift : undefined;
  return [
    formatServer(each, paint),
    tools.length === 0 ? '' : formatTable(COLUMNS, tools.map(toRow), view),
    ...tools.map((tool) => formatRemarks(tool, paint)),
    ...unusedRules(each).map((index) =>
      formatNote(`rule ${index + 1}`, 'It matches no tool of this server.', paint),
    ),
    drift === undefined || drift.drift.length === 0 ? '' : `\n${formatDrift(drift, paint)}`,
    ...(details ? tools.map((tool) => formatDetails({ ...tool, form: 'mcp' }, paint)) : []),
    '\n',
  ].join('');
}

function unusedRules(each: ServerMount): readonly number[] {
  return each.kind === 'mounted' ? each.mount.report.unusedRules : [];
}

function formatNote(place: string, text: string, paint: Paint): string {
  return `${paint('warning', 'note')}  ${safeText(place, 200)}  ${safeText(text)}\n`;
}

function toRow(tool: MountedToolReport): readonly Cell[] {
  const cells = reportRow({ ...tool, name: tool.tool, form: 'mcp' });
  const found = tool.findings.length;
  const own: readonly Cell[] = [
    { text: tool.lock === 'none' ? '-' : tool.lock, tone: STANDINGS[tool.lock] },
    found === 0 ? { text: '0' } : { text: formatCount(found), tone: 'warning' },
  ];
  const [name = { text: '' }, executionClass = { text: '' }, contract = { text: '' }, ...rest] = cells;
  return [name, executionClass, contract, ...own, ...rest];
}

/** What is wrong with a tool, and what a reviewer should look at. */
function formatRemarks({ tool, faults, findings }: MountedToolReport, paint: Paint): string {
  if (faults.length + findings.length === 0) return '';
  const lines = faults.map(({ code, message, pointer }) => {
    const place = pointer === undefined || pointer === '' ? '' : ` at ${safeText(pointer, 120)}`;
    return `  ${paint('bad', 'error')}  ${code}${place}  ${safeText(message)}\n`;
  });
  return `${paint('strong', safeText(tool, 80))}\n${lines.join('')}${formatFindings(findings, paint)}`;
}
