import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { isLoopbackUrl, readLocalGateway } from './gateway-home.ts';

/** How the commands find a gateway. */
export interface TargetOptions {
  readonly url?: string;
  /** Whether the key may go over a network unencrypted. */
  readonly insecure: boolean;
}

/** A gateway and what opens its admin API. */
export interface AdminTarget {
  /** Ends with a slash. */
  readonly base: URL;
  readonly key: string;
}

const KEY_VARIABLE = 'TOOLGATE_ADMIN_KEY';
const URL_VARIABLE = 'TOOLGATE_URL';
const DEFAULT_URL = 'http://127.0.0.1:8787';

/**
 * Finds the gateway: `--url`, `TOOLGATE_URL`, the one that `toolgate up` left in the present folder, or the usual
 * port; and its key: `TOOLGATE_ADMIN_KEY`, or the one in the present folder, which goes to its own gateway only.
 *
 * @throws CliError `cli/usage`, `cli/admin-key-missing`, `cli/home-unusable`
 */
export async function findGateway({ insecure, url }: TargetOptions, io: CliIo): Promise<AdminTarget> {
  const local = await readLocalGateway(io.cwd);
  const given = url ?? variable(io, URL_VARIABLE);
  const base = readBase(given ?? local?.url ?? DEFAULT_URL, insecure);
  const own = local !== undefined && (given === undefined || isSameOrigin(local.url, base));
  const key = variable(io, KEY_VARIABLE) ?? (own ? local.adminKey : undefined);
  if (key === undefined) {
    throw new CliError(
      'cli/admin-key-missing',
      `Set ${KEY_VARIABLE} to a key that may use the admin API, or run this in the folder of a gateway that runs without a configuration.`,
    );
  }
  if (!/^[!-~]{1,512}$/u.test(key))
    throw new CliError('cli/usage', `${KEY_VARIABLE} is no key: it has characters that no key has.`);
  return { base, key };
}

function variable({ env }: CliIo, name: string): string | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : value;
}

function readBase(text: string, insecure: boolean): URL {
  const wrong = (why: string): CliError => new CliError('cli/usage', `The address of a gateway ${why}.`);
  if (!URL.canParse(text)) throw wrong('is a URL, such as http://127.0.0.1:8787');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong('begins with http:// or https://');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrong('has no credentials, query or fragment');
  if (url.protocol === 'http:' && !insecure && !isLoopbackUrl(text))
    throw wrong('on another machine begins with https://; --insecure sends the key in clear all the same');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function isSameOrigin(one: string | undefined, other: URL): boolean {
  return one !== undefined && new URL(one).origin === other.origin;
}
