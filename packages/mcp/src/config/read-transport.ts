import { isAbsolute, resolve } from 'node:path';
import { appendPointer, type JsonObject, type JsonValue } from '@toolgate/core';
import { asList, asObject, asText, configFault, optional } from './config-fault.ts';
import type { ConfiguredTransport } from './mcp-config.ts';

/** Three names that clients use for the same address. */
export const URL_MEMBERS = ['url', 'serverUrl', 'httpUrl'] as const;
/** Three more for the kind of the transport. */
export const KIND_MEMBERS = ['type', 'transport', 'transportType'] as const;

const STDIO: ReadonlySet<string> = new Set(['stdio', 'local']);
const HTTP: ReadonlySet<string> = new Set([
  'http',
  'streamable-http',
  'streamableHttp',
  'streamable_http',
  'remote',
]);

/** What reading a transport needs besides the entry. */
export interface TransportReading {
  readonly expand: (text: JsonValue, pointer: string) => string;
  /** Is added to. */
  readonly secrets: Set<string>;
  readonly folder: string | undefined;
}

/**
 * Tells a child process from an address, in the words of any of the usual clients, and reads it.
 *
 * @throws McpError `mcp/config-invalid`, `mcp/config-variable`
 */
export function readTransport(
  entry: JsonObject,
  pointer: string,
  reading: TransportReading,
): ConfiguredTransport {
  const kindMember = KIND_MEMBERS.find((member) => optional(entry, member) !== undefined);
  const kind =
    kindMember === undefined ? undefined : asText(entry[kindMember] ?? '', `${pointer}/${kindMember}`);
  const urlMember = URL_MEMBERS.find((member) => optional(entry, member) !== undefined);
  const command = optional(entry, 'command');
  if (kind === 'sse') return SSE;
  const isStdio = kind === undefined ? command !== undefined : STDIO.has(kind);
  if (kind === undefined && command !== undefined && urlMember !== undefined) {
    throw configFault('A server has a command or a url, not both.', pointer);
  }
  if (isStdio) return readStdio(entry, pointer, reading);
  if (kind !== undefined && !HTTP.has(kind)) return UNKNOWN_KIND;
  if (urlMember === undefined) throw configFault('A server needs a command or a url.', pointer);
  return readHttp(entry, urlMember, pointer, reading);
}

const SSE: ConfiguredTransport = Object.freeze({
  kind: 'unsupported',
  reason: 'The transport "sse" was replaced by "http" (streamable HTTP) and is not supported.',
});
const UNKNOWN_KIND: ConfiguredTransport = Object.freeze({
  kind: 'unsupported',
  reason: 'The kind of transport is not known: "stdio" and "http" are.',
});

function readStdio(entry: JsonObject, pointer: string, reading: TransportReading): ConfiguredTransport {
  const { expand, folder } = reading;
  const command = expand(optional(entry, 'command') ?? '', `${pointer}/command`);
  if (command.trim() === '') throw configFault('The command is missing.', `${pointer}/command`);
  const args = asList(optional(entry, 'args') ?? [], `${pointer}/args`);
  const cwd = optional(entry, 'cwd');
  const path = cwd === undefined ? undefined : expand(cwd, `${pointer}/cwd`);
  return Object.freeze({
    kind: 'stdio',
    command,
    args: args.map((each, index) => expand(each, `${pointer}/args/${index}`)),
    env: readPairs(entry, 'env', pointer, (name, value, at) => {
      if (name === '' || name.includes('=') || name.includes('\0'))
        throw configFault('This is no name of a variable.', at);
      // Editors take numbers here.
      const text = expand(typeof value === 'number' ? String(value) : value, at);
      if (isSecretName(name)) reading.secrets.add(text);
      return text;
    }),
    ...(path === undefined ? {} : { cwd: isAbsolute(path) ? path : resolve(folder ?? '.', path) }),
  });
}

function readHttp(
  entry: JsonObject,
  member: string,
  pointer: string,
  reading: TransportReading,
): ConfiguredTransport {
  const at = `${pointer}/${member}`;
  const url = URL.parse(reading.expand(entry[member] ?? '', at));
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw configFault('The address is not one of http or https.', at);
  }
  if (url.username !== '' || url.password !== '') {
    throw configFault('An address cannot hold a name and a password: write a header.', at);
  }
  return Object.freeze({
    kind: 'http',
    url: url.href,
    headers: readPairs(entry, 'headers', pointer, (name, value, place) => {
      const text = reading.expand(value, place);
      if (!HEADER_NAME.test(name)) throw configFault('This is no name of a header.', place);
      if (HEADER_BREAK.test(text)) throw configFault('A header cannot hold control characters.', place);
      reading.secrets.add(text);
      const bearer = /^(?:bearer|basic|token) (.+)$/iu.exec(text)?.[1];
      if (bearer !== undefined) reading.secrets.add(bearer);
      return text;
    }),
  });
}

/** RFC 9110, section 5.1: a token. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;
/** Every control but the tab. */
const HEADER_BREAK = /[^\P{Cc}\t]/u;

function readPairs(
  entry: JsonObject,
  member: string,
  pointer: string,
  read: (name: string, value: JsonValue, pointer: string) => string,
): Readonly<Record<string, string>> {
  const at = `${pointer}/${member}`;
  const pairs = Object.entries(asObject(optional(entry, member) ?? {}, at));
  // VS Code writes null for a variable that is not passed on.
  const set = pairs.filter(([, value]) => value !== null);
  return Object.freeze(
    Object.fromEntries(set.map(([name, value]) => [name, read(name, value, appendPointer(at, name))])),
  );
}

function isSecretName(name: string): boolean {
  return /key|token|secret|passw|auth|credential/iu.test(name);
}
