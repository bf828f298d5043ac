import { resolve } from 'node:path';
import type { RunDecision } from '@toolgate/agent';
import { isJsonObject, type JsonValue, readJson } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { readTextInput } from '../input/read-input.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { jsonText } from '../terminal/json-text.ts';
import { describeRequest, type Reviewer } from './create-reviewer.ts';
import { prepareRun } from './create-run.ts';
import { exitCodeOf, followRun, SUSPENDED_EXIT } from './follow-run.ts';
import { keep } from './run-command.ts';
import { readSavedRun, type SavedRun } from './state-file.ts';
import { openStateHome } from './state-home.ts';

/** Options of `toolgate resume`. */
export interface ResumeCommandOptions {
  readonly json: boolean;
  readonly debug: boolean;
  /** A JSON array of decisions, `@file`, or `-`; without it the person at the terminal is asked. */
  readonly decisions?: string;
}

/** Bytes of decisions from a file. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Goes on with a suspended run. Where nobody decides, nothing runs: what waits is listed.
 *
 * @returns The exit code, as of `run`.
 */
export async function resumeAgent(file: string, options: ResumeCommandOptions, io: CliIo): Promise<number> {
  const path = resolve(io.cwd, file);
  const home = await openStateHome(io);
  const saved = await readSavedRun(path, home);
  const given = options.decisions === undefined ? undefined : await readDecisions(options.decisions, io);
  if (given === undefined && io.ask === undefined) return listPending(saved, options, io);
  const { plan, turns, state } = saved;
  const prepared = await prepareRun(plan, io, { turnsBefore: turns, home, debug: options.debug });
  try {
    const decisions = given ?? (await askAll(saved, prepared.reviewer, io));
    const events = prepared.agent.resumeStream(state, decisions, { context: {}, signal: io.signal });
    const result = await followRun(events, options, io);
    await keep({ plan, result, path, home }, io);
    return exitCodeOf(result);
  } finally {
    await prepared.close();
  }
}

async function askAll({ pending }: SavedRun, { ask }: Reviewer, io: CliIo): Promise<readonly RunDecision[]> {
  const decisions: RunDecision[] = [];
  if (ask === undefined) return decisions;
  for (const request of pending) {
    const approvalId = request.id;
    const answer = await ask(request, io.signal);
    switch (answer.kind) {
      case 'edit':
        decisions.push({ approvalId, decision: 'edit', arguments: answer.arguments });
        break;
      case 'later':
        break;
      case 'allow':
      case 'decline':
        decisions.push({ approvalId, decision: answer.kind });
    }
  }
  return decisions;
}

async function listPending(
  { pending }: SavedRun,
  { json }: ResumeCommandOptions,
  io: CliIo,
): Promise<number> {
  const lines = json
    ? pending.map((approval) => jsonText({ kind: 'approval-request', approval }))
    : [
        `${countOf(pending.length, 'call waits', 'calls wait')} for a decision; give it with --decisions:`,
        ...pending.map((request) => `waits    ${request.id}  ${describeRequest(request)}`),
      ];
  await io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return SUSPENDED_EXIT;
}

/** The agent checks what a decision is; here only its form as a list. */
async function readDecisions(given: string, io: CliIo): Promise<readonly RunDecision[]> {
  const fromFile = given === '-' || given.startsWith('@');
  const text = fromFile
    ? await readTextInput(given.startsWith('@') ? given.slice(1) : '-', io, MAX_BYTES)
    : given;
  const value: JsonValue = readJson(text, { maxBytes: MAX_BYTES });
  if (!Array.isArray(value) || !(value as readonly JsonValue[]).every(isJsonObject)) {
    throw new CliError(
      'cli/usage',
      '--decisions is a JSON array of { "approvalId": "…", "decision": "allow" | "decline" | "edit" }.',
    );
  }
  return value as unknown as readonly RunDecision[];
}
