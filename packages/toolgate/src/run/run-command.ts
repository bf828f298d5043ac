import { resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import { readTextInput } from '../input/read-input.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { prepareRun } from './create-run.ts';
import { exitCodeOf, followRun } from './follow-run.ts';
import type { ApproveRule, RunPlan } from './run-plan.ts';
import { checkFree, removeSavedRun, type SavedRun, writeSavedRun } from './state-file.ts';
import { openStateHome, type StateHome } from './state-home.ts';

/** Options of `toolgate run`. */
export interface RunCommandOptions {
  readonly json: boolean;
  readonly debug: boolean;
  readonly model: string;
  readonly tools: readonly string[];
  /** Configurations of MCP servers. */
  readonly mcp: readonly string[];
  /** The system text, `@file`, or absent. */
  readonly instructions?: string;
  readonly approve: ApproveRule;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly maxTurns: number;
  /** Where a suspended run is saved; without it nothing can wait. */
  readonly state?: string;
}

/** Bytes of a prompt or of instructions from a file. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Runs an agent in the terminal.
 *
 * @param prompt - The question, or `-` for standard input.
 * @returns The exit code: 0 for an answer, 3 for a run that waits, 1 for every other end.
 */
export async function runAgent(prompt: string, options: RunCommandOptions, io: CliIo): Promise<number> {
  const { state } = options;
  const path = state === undefined ? undefined : resolve(io.cwd, state);
  if (path !== undefined) await checkFree(path);
  const home = path === undefined ? undefined : await openStateHome(io);
  const plan = await toPlan(options, io);
  const question = prompt === '-' ? await readTextInput('-', io, MAX_BYTES) : prompt;
  if (question.trim() === '') throw new CliError('cli/usage', 'The prompt is blank.');
  const { agent, close } = await prepareRun(plan, io, { turnsBefore: 0, home, debug: options.debug });
  try {
    const result = await followRun(agent.stream(question, { context: {}, signal: io.signal }), options, io);
    await keep({ plan, result, path, home }, io);
    return exitCodeOf(result);
  } finally {
    await close();
  }
}

/** What is left of a run when it has ended or waits. */
export interface LeftRun {
  readonly plan: RunPlan;
  readonly result: Awaited<ReturnType<typeof followRun>>;
  readonly path: string | undefined;
  readonly home: StateHome | undefined;
}

/** Saves a run that waits; takes away the file of one that has ended. */
export async function keep({ plan, result, path, home }: LeftRun, io: CliIo): Promise<void> {
  if (path === undefined || home === undefined) return;
  const { state, turns, pending } = result;
  if (state === undefined) {
    await removeSavedRun(path);
    return;
  }
  const saved: SavedRun = { plan, turns, pending, state };
  await writeSavedRun(path, saved, home);
  await io.stderr.write('The run is saved; "toolgate resume" goes on with it.\n');
}

async function toPlan(options: RunCommandOptions, io: CliIo): Promise<RunPlan> {
  const { model, tools, mcp, instructions, approve, allow, deny, maxTurns } = options;
  const text =
    instructions?.startsWith('@') === true
      ? readTextInput(instructions.slice(1), io, MAX_BYTES)
      : instructions;
  return {
    model: model.startsWith('scripted:')
      ? `scripted:${resolve(io.cwd, model.slice('scripted:'.length))}`
      : model,
    tools: tools.map((tool) => resolve(io.cwd, tool)),
    mcp: mcp.map((config) => resolve(io.cwd, config)),
    instructions: (await text) ?? null,
    approve,
    allow,
    deny,
    maxTurns,
  };
}
