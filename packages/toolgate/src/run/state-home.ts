import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';

/** What protects suspended runs: a key that is not stored with them, and a note of every decision that was used. */
export interface StateHome {
  /** At least 32 bytes. */
  readonly key: string;
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
  /** Takes a decision for good, on this computer: `true` the first time only. */
  readonly claim: (approvalId: string) => Promise<boolean>;
}

const KEY_VARIABLE = 'TOOLGATE_STATE_KEY';
const MIN_KEY_LENGTH = 32;

/**
 * Opens the folder for suspended runs: `TOOLGATE_HOME`, else `toolgate` in `XDG_STATE_HOME` or `~/.local/state`. The
 * key is made there at the first use, readable by its owner only; `TOOLGATE_STATE_KEY` takes its place, for example to
 * go on with a run on another computer.
 *
 * @throws CliError `cli/state-unwritable`, `cli/usage`
 */
export async function openStateHome(io: CliIo): Promise<StateHome> {
  const folder = folderOf(io);
  const given = io.env[KEY_VARIABLE] ?? '';
  if (given !== '' && given.length < MIN_KEY_LENGTH) {
    throw new CliError('cli/usage', `${KEY_VARIABLE} needs at least ${MIN_KEY_LENGTH} characters.`);
  }
  const claims = join(folder, 'claims');
  await writing(folder, () => mkdir(claims, { recursive: true, mode: 0o700 }));
  const key = given === '' ? await writing(folder, () => ownKey(folder)) : given;
  const sign = (text: string): string =>
    `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
  // One after the other, so that calls which were decided together still start in the order in which they were proposed.
  let last: Promise<unknown> = Promise.resolve();
  const claim = (approvalId: string): Promise<boolean> => {
    const name = createHash('sha256').update(approvalId).digest('hex');
    const taken = last.then(() => writing(folder, () => create(join(claims, name), '')));
    last = taken.catch(() => undefined);
    return taken;
  };
  return {
    key,
    sign,
    verify: (text, signature) => {
      const [wanted, found] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return wanted.length === found.length && timingSafeEqual(wanted, found);
    },
    claim,
  };
}

function folderOf({ env }: CliIo): string {
  const own = env['TOOLGATE_HOME'] ?? '';
  if (own !== '') return own;
  const state = env['XDG_STATE_HOME'] ?? '';
  return join(state === '' ? join(homedir(), '.local', 'state') : state, 'toolgate');
}

async function ownKey(folder: string): Promise<string> {
  const path = join(folder, 'state-key');
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known.length >= MIN_KEY_LENGTH) return known;
  // Complete before it has its name, so that two processes that start at once get the same key.
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  await create(draft, randomBytes(32).toString('hex'));
  await link(draft, path).catch(() => undefined);
  await rm(draft);
  return readFile(path, 'utf8');
}

/** Creates a file for its owner only; `false` when there is one. */
async function create(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function writing<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    throw new CliError('cli/state-unwritable', `The folder ${folder} cannot be used for suspended runs.`, {
      cause,
    });
  }
}
