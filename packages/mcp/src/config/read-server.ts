import { isAbsolute, resolve } from 'node:path';
import { appendPointer, type JsonObject, type JsonValue } from '@toolgate/core';
import { asFlag, asList, asObject, asText, configFault, optional } from './config-fault.ts';
import { expandVariables, type VariableSource } from './expand-variables.ts';
import type { ConfigNote, ConfiguredServer, ConfiguredTransport } from './mcp-config.ts';

/** What is known of an entry besides its rules. */
export interface ServerEntry extends Omit<ConfiguredServer, 'rules' | 'mountName'> {
  readonly notes: readonly ConfigNote[];
}

/** Three names that clients use for the same address. */
const URLS = ['url', 'serverUrl', 'httpUrl'] as const;
/** And for the kind of the transport. */
const KINDS = ['type', 'transport', 'transportType'] as const;
const KNOWN: ReadonlySet<string> = new Set([
  'command',
  'args',
  'env',
  'cwd',
  'headers',
  'disabled',
  'enabled',
  ...URLS,
  ...KINDS,
]);

/** Members by which other clients skip the question. Nothing of the sort is believed. */
const PERMISSIONS: ReadonlySet<string> = new Set(['alwaysAllow', 'autoApprove', 'trust', 'alwaysAllowTools']);

const STDIO: ReadonlySet<string> = new Set(['stdio', 'local']);
const HTTP: ReadonlySet<string> = new Set([
  'http',
  'streamable-http',
  'streamableHttp',
  'streamable_http',
  'remote',
]);

/**
 * Reads one entry of a configuration, in the form of any of the usual clients.
 *
 * @throws McpError `mcp/config-invalid`, `mcp/config-variable`
 */
export function readServer(
  name: string,
  value: JsonValue,
  source: VariableSource,
  pointer: string,
): ServerEntry {
  const entry = asObject(value, pointer);
  const unknown = Object.fromEntries(Object.entries(entry).filter(([member]) => !KNOWN.has(member)));
  const notes = Object.keys(unknown).map((member) => noteOf(member, pointer));
  if (isDisabled(entry, pointer)) {
    const transport = { kind: 'unsupported', reason: 'The configuration switches this server off.' } as const;
    return { name, disabled: true, transport, secrets: [], unknown, notes };
  }
  const secrets = new Set<string>();
  const expand = (text: JsonValue, at: string): string => {
    const expanded = expandVariables(asText(text, at), source, at);
    for (const each of expanded.taken) secrets.add(each);
    // What was put in may hold what was not allowed before.
    return asText(expanded.text, at);
  };
  const transport = readTransport(entry, pointer, { expand, secrets, folder: source.folder });
  return { name, disabled: false, transport, secrets: [...secrets], unknown, notes };
}

interface Reading {
  readonly expand: (text: JsonValue, pointer: string) => string;
  readonly secrets: Set<string>;
  readonly folder: string | undefined;
}

function readTransport(entry: JsonObject, pointer: string, reading: Reading): ConfiguredTransport {
  const kindMember = KINDS.find((member) => optional(entry, member) !== undefined);
  const kind =
    kindMember === undefined ? undefined : asText(entry[kindMember] ?? '', `${pointer}/${kindMember}`);
  const urlMember = URLS.find((member) => optional(entry, member) !== undefined);
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

function readStdio(entry: JsonObject, pointer: string, reading: Reading): ConfiguredTransport {
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

function readHttp(entry: JsonObject, member: string, pointer: string, reading: Reading): ConfiguredTransport {
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

function isDisabled(entry: JsonObject, pointer: string): boolean {
  const disabled = optional(entry, 'disabled');
  const enabled = optional(entry, 'enabled');
  return (
    (disabled !== undefined && asFlag(disabled, `${pointer}/disabled`)) ||
    (enabled !== undefined && !asFlag(enabled, `${pointer}/enabled`))
  );
}

function noteOf(member: string, pointer: string): ConfigNote {
  const text = PERMISSIONS.has(member)
    ? 'This gives no permission here: what a call may do is decided by rules, scope and approval.'
    : 'This member means nothing here.';
  return Object.freeze({ pointer: appendPointer(pointer, member), text });
}
