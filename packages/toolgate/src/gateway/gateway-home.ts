import { randomBytes } from 'node:crypto';
import { chmod, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, readJson } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { checkOwnFile, readOwnFile } from './own-file.ts';

/** What a gateway without a configuration keeps in the present folder. */
export interface GatewayHome {
  /** Of the SQLite file. */
  readonly databasePath: string;
  /** Opens the admin API; made at the first start. */
  readonly adminKey: string;
  /** Tells the other commands where the gateway is. */
  publish(url: string): Promise<void>;
  /** Takes that back, unless another gateway has published since. */
  withdraw(url: string): Promise<void>;
}

/** What the other commands read. */
export interface LocalGateway {
  /** `undefined` while no gateway runs here. */
  readonly url: string | undefined;
  readonly adminKey: string;
}

const FOLDER = '.toolgate';
const FILE = 'local.json';
const MAX_BYTES = 4_096;
const KEY = /^tg_[\w-]{32,128}$/u;

/**
 * Opens `.toolgate` in a folder, readable by its owner only.
 *
 * @throws CliError `cli/home-unusable`
 */
export async function openGatewayHome(cwd: string): Promise<GatewayHome> {
  const folder = join(cwd, FOLDER);
  const databasePath = join(folder, 'gateway.db');
  await using(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await lstat(folder)).isDirectory()) throw new Error('It is a link or a file.');
    await chmod(folder, 0o700);
    for (const end of ['', '-wal', '-shm']) await checkOwnFile(`${databasePath}${end}`);
    // Before the first byte of contents is in it; the files beside it are made with the same mode.
    await (await open(databasePath, 'a', 0o600)).close();
  });
  const adminKey = (await readLocalGateway(cwd))?.adminKey ?? (await makeAdminKey(cwd));
  const write = (url?: string): Promise<void> =>
    using(folder, () => replaceFile(folder, { ...(url === undefined ? {} : { url }), adminKey }));
  return {
    databasePath,
    adminKey,
    publish: write,
    withdraw: async (url) => {
      if ((await readLocalGateway(cwd))?.url === url) await write();
    },
  };
}

/**
 * What `toolgate up` left in a folder; `undefined` where it never ran.
 *
 * @throws CliError `cli/home-unusable` for a file that is none of ours, that others may read, or that names another
 * machine: a folder that somebody else has filled must neither get a key sent away nor say which key is good.
 */
export async function readLocalGateway(cwd: string): Promise<LocalGateway | undefined> {
  const folder = join(cwd, FOLDER);
  return using(folder, async () => {
    const bytes = await readOwnFile(join(folder, FILE), MAX_BYTES);
    if (bytes === undefined) return undefined;
    const { url, adminKey } = readJson(bytes, { maxBytes: MAX_BYTES }) as JsonObject;
    const local = url === undefined || (typeof url === 'string' && isLoopbackUrl(url));
    if (!local || typeof adminKey !== 'string' || !KEY.test(adminKey)) throw new Error('It is none of ours.');
    return { url, adminKey };
  });
}

/** Whether an address is of this machine, by its text alone. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname);
}

/** Of gateways that start at once in a new folder, one makes the key and the others take it. */
async function makeAdminKey(cwd: string): Promise<string> {
  const folder = join(cwd, FOLDER);
  const adminKey = `tg_admin_${randomBytes(32).toString('base64url')}`;
  await using(folder, () =>
    writeFile(folder, { adminKey }, async (draft, file) => {
      await link(draft, file).catch(unlessThere);
      await rm(draft);
    }),
  );
  return (await readLocalGateway(cwd))?.adminKey ?? adminKey;
}

function unlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

/** Whoever reads it sees the old file or the new one. */
async function replaceFile(folder: string, content: object): Promise<void> {
  await writeFile(folder, content, rename);
}

/** @param publish - Makes a file that is whole the one that others read. */
async function writeFile(
  folder: string,
  content: object,
  publish: (draft: string, file: string) => Promise<void>,
): Promise<void> {
  const draft = join(folder, `${FILE}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(content)}\n`);
    } finally {
      await file.close();
    }
    await publish(draft, join(folder, FILE));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function using<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    throw new CliError('cli/home-unusable', `The folder ${folder} cannot be used for a gateway.`, { cause });
  }
}
