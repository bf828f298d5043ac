import { randomBytes } from 'node:crypto';
import { access, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { RunState } from '@toolgate/agent';
import {
  type ApprovalRequest,
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJson,
} from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { member } from '../definitions/raw-definition.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { RunPlan } from './run-plan.ts';
import type { StateHome } from './state-home.ts';

/** A suspended run and all that is needed to go on with it. */
export interface SavedRun {
  readonly plan: RunPlan;
  /** Turns of the model so far. */
  readonly turns: number;
  /** What waits for a decision, for people to read. */
  readonly pending: readonly ApprovalRequest[];
  readonly state: RunState;
}

const FORMAT = 'toolgate-run-file';
const VERSION = 1;

/** @throws CliError `cli/state-exists` */
export async function checkFree(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (!exists) return;
  throw new CliError(
    'cli/state-exists',
    `${safeText(path, 200)} exists already; go on with "toolgate resume", or name another file.`,
  );
}

/**
 * Writes a suspended run, readable by its owner only, and at once: a reader sees the old file or the new one.
 *
 * @throws CliError `cli/state-unwritable`
 */
export async function writeSavedRun(path: string, run: SavedRun, home: StateHome): Promise<void> {
  const { plan, turns, pending, state } = run;
  // Through JSON, because an absent member and an undefined one have to be the same under a signature.
  const body = JSON.parse(
    JSON.stringify({ format: FORMAT, version: VERSION, plan, turns, pending, state }),
  ) as JsonObject;
  const text = JSON.stringify({ ...body, signature: home.sign(canonicalJson(body)) }, undefined, 2);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new CliError('cli/state-unwritable', `The run cannot be saved in ${safeText(path, 200)}.`, {
      cause,
    });
  }
}

/**
 * Reads a suspended run that this user saved. A file that was changed is refused: it names modules to run.
 *
 * @throws CliError `cli/input-unreadable`, `cli/state-invalid`
 */
export async function readSavedRun(path: string, home: StateHome): Promise<SavedRun> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new CliError('cli/input-unreadable', `Cannot read ${safeText(path, 200)}.`, { cause });
  });
  let value: JsonValue;
  try {
    value = readJson(bytes, { maxBytes: 'none', maxDepth: 'none' });
  } catch (cause) {
    throw invalid('it is not JSON', cause);
  }
  if (!isJsonObject(value) || member(value, 'format') !== FORMAT) throw invalid('it is not a suspended run');
  if (member(value, 'version') !== VERSION) throw invalid('it has a version that is not known here');
  const { signature, ...body } = value;
  if (typeof signature !== 'string' || !home.verify(canonicalJson(body), signature)) {
    throw invalid('it was changed, or saved by another user (TOOLGATE_STATE_KEY is the key)');
  }
  // Ours, because the signature is.
  return body as unknown as SavedRun;
}

/** A run that has ended cannot be resumed. */
export async function removeSavedRun(path: string): Promise<void> {
  await rm(path, { force: true });
}

function invalid(why: string, cause?: unknown): CliError {
  return new CliError('cli/state-invalid', `This file cannot be resumed: ${why}.`, { cause });
}
