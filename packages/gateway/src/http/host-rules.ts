import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../internal/is-loopback.ts';
import { type Refusal, refuse } from './refusal.ts';

/** As whom the gateway may be addressed, and from where. */
export interface HostRules {
  /**
   * Whether a request may be answered here: its `Host` is one of ours, and its `Origin`, if it has one, is our own or
   * allowed. Protects what a web page could reach through a visitor's browser (DNS rebinding, cross-site requests).
   */
  check(headers: IncomingHttpHeaders): Refusal | undefined;
  /** Whether pages of an origin other than the gateway's own may use it. */
  allowsPage(origin: string): boolean;
  /** Whether every address is checked, because the gateway listens where only this machine reaches it. */
  readonly everywhere: boolean;
}

/** What the rules are made of. */
export interface HostRulesOptions {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

/** Makes the rules of one listening address. */
export function createHostRules({ host, allowedHosts, allowedOrigins }: HostRulesOptions): HostRules {
  const hosts = new Set([...LOOPBACK, ...allowedHosts.map((name) => name.toLowerCase())]);
  if (!ANY.has(host)) hosts.add(host.includes(':') ? `[${host}]` : host.toLowerCase());
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  /** The authority that was let in last: most requests have the same one. */
  let last: string | undefined;

  return Object.freeze({
    everywhere: isLoopback(host),
    allowsPage: (origin: string) => origins.has(origin.toLowerCase()),
    check(headers: IncomingHttpHeaders) {
      const { origin } = headers;
      if (origin === undefined && last !== undefined && headers.host === last) return undefined;
      const addressed = readAuthority(headers.host);
      if (addressed === undefined || !hosts.has(addressed.name)) return refuse('host_forbidden');
      last = headers.host;
      if (origin === undefined) return undefined;
      const from = origin.toLowerCase();
      if (from === `http://${addressed.text}` || from === `https://${addressed.text}`) return undefined;
      return origins.has(from) ? undefined : refuse('origin_forbidden');
    },
  });
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(?::\d{1,5})?$/;

/** The name of an authority without its port and without the dot of the root. */
function readAuthority(
  text: string | undefined,
): { readonly name: string; readonly text: string } | undefined {
  const lower = text?.toLowerCase();
  const name = lower === undefined ? undefined : AUTHORITY.exec(lower)?.[1];
  return name === undefined || lower === undefined ? undefined : { name, text: lower };
}

/**
 * The refusal of a request that says more than once whom it is for or who sends it: whoever stands between may have read
 * another one than we do.
 *
 * @see RFC 9112, section 3.2, and RFC 9110, section 11.6.2.
 */
export function refuseRepeated(rawHeaders: readonly string[]): Refusal | undefined {
  let hosts = 0;
  let credentials = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1) return refuse('host_forbidden', { status: 400 });
  return credentials > 1 ? refuse('key_invalid') : undefined;
}

/**
 * The refusal of a request whose target names another host than its `Host`: whoever stands between goes by the target, which
 * counts, and we check the other one.
 *
 * @see RFC 9112, section 3.2.2.
 */
export function refuseOtherTarget(target: string, host: string | undefined): Refusal | undefined {
  if (target.startsWith('/') || target === '*') return undefined;
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  return authority !== undefined && authority.toLowerCase() === host?.toLowerCase()
    ? undefined
    : refuse('host_forbidden', { status: 400 });
}
