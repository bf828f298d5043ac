import { appendPointer, type JsonObject, type JsonValue } from '@toolgate/core';
import { asFlag, asList, asObject, asText, configFault, optional } from './config-fault.ts';
import { expandVariables, type VariableSource } from './expand-variables.ts';
import type { ConfigNote, ConfiguredServer, ToolRuleConfig } from './mcp-config.ts';
import { KIND_MEMBERS, readTransport, URL_MEMBERS } from './read-transport.ts';

/** What is known of an entry besides its rules. */
export interface ServerEntry extends Omit<ConfiguredServer, 'rules' | 'mountName'> {
  readonly notes: readonly ConfigNote[];
  /** Tools that the entry switches off, as rules. */
  readonly withheld: readonly ToolRuleConfig[];
}

/** Two for the tools that are switched off. */
const WITHHELD = ['disabledTools', 'excludeTools'] as const;
const KNOWN: ReadonlySet<string> = new Set([
  'command',
  'args',
  'env',
  'cwd',
  'headers',
  'disabled',
  'enabled',
  ...URL_MEMBERS,
  ...KIND_MEMBERS,
  ...WITHHELD,
]);

/** Members by which other clients skip the question. Nothing of the sort is believed. */
const PERMISSIONS: ReadonlySet<string> = new Set(['alwaysAllow', 'autoApprove', 'trust', 'alwaysAllowTools']);

/** What would make of the server something else. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'envFile',
  'oauth',
  'auth',
  'headersHelper',
  'sandbox',
  'sandboxEnabled',
  'includeTools',
  'allowedTools',
  'enabledTools',
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
    return { name, disabled: true, transport, secrets: [], unknown, notes, withheld: [] };
  }
  const secrets = new Set<string>();
  const expand = (text: JsonValue, at: string): string => {
    const expanded = expandVariables(asText(text, at), source, at);
    for (const each of expanded.taken) secrets.add(each);
    // What was put in may hold what was not allowed before.
    return asText(expanded.text, at);
  };
  const transport = readTransport(entry, pointer, { expand, secrets, folder: source.folder });
  const withheld = WITHHELD.flatMap((member) => readWithheld(entry, member, pointer));
  return { name, disabled: false, transport, secrets: [...secrets], unknown, notes, withheld };
}

function isDisabled(entry: JsonObject, pointer: string): boolean {
  const disabled = optional(entry, 'disabled');
  const enabled = optional(entry, 'enabled');
  return (
    (disabled !== undefined && asFlag(disabled, `${pointer}/disabled`)) ||
    (enabled !== undefined && !asFlag(enabled, `${pointer}/enabled`))
  );
}

/** A restriction that other clients keep is kept here too. */
function readWithheld(entry: JsonObject, member: string, pointer: string): readonly ToolRuleConfig[] {
  const at = `${pointer}/${member}`;
  return asList(optional(entry, member) ?? [], at).map((tool, index) => {
    const name = asText(tool, `${at}/${index}`);
    if (name === '') throw configFault('The name of a tool is expected here.', `${at}/${index}`);
    return Object.freeze({ tool: name, available: false });
  });
}

function noteOf(member: string, pointer: string): ConfigNote {
  const at = appendPointer(pointer, member);
  if (PERMISSIONS.has(member)) {
    const text = 'This gives no permission here: what a call may do is decided by rules, scope and approval.';
    return Object.freeze({ kind: 'no-permission', pointer: at, text });
  }
  return UNSUPPORTED.has(member)
    ? Object.freeze({
        kind: 'unsupported',
        pointer: at,
        text: 'This is not supported: the server is used without it.',
      })
    : Object.freeze({ kind: 'ignored', pointer: at, text: 'This member means nothing here.' });
}
