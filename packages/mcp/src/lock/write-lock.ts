import { canonicalJson, type JsonObject, type JsonValue } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import type { LockedDefinition, LockedServer, LockedTool, LockFile } from './lock-file.ts';
import { PINNED_MEMBERS, toLockedTool } from './to-locked-tool.ts';
import { visibleJson } from './visible-json.ts';

/**
 * The text of a lock file: the same for the same content, whatever order it came in, one member in a line, and every
 * invisible character as an escape, so that a difference between two of them can be read. Ends with a line break.
 *
 * @throws {@link McpError} `mcp/lock-invalid` for a server or tool that no lock file can hold, `mcp/lock-edited` for a
 * definition that does not have its digest, `mcp/definition-invalid`
 */
export function writeLock(lock: LockFile): string {
  const servers = sorted(lock.servers, (tools: LockedServer, server) => {
    checkKeys(server, Object.keys(tools));
    return sorted(tools, writeTool);
  });
  return `${visibleJson(JSON.stringify({ version: 1, servers }, undefined, 2))}\n`;
}

function writeTool({ digest, definition }: LockedTool, name: string): JsonObject {
  const known = toLockedTool(definition);
  if (known.digest !== digest || definition.name !== name) {
    throw new McpError(
      'mcp/lock-edited',
      'A definition does not have the digest or the name it is locked with.',
    );
  }
  return { digest, definition: inOrder(known.definition) };
}

/** The members of a definition in the order of a reader, the members of its schemas sorted. */
function inOrder(definition: LockedDefinition): JsonObject {
  const ordered: Record<string, JsonValue> = {};
  for (const member of PINNED_MEMBERS) {
    const value = definition[member];
    if (value !== undefined) ordered[member] = JSON.parse(canonicalJson(value)) as JsonValue;
  }
  return ordered;
}

function sorted<Value, Written>(
  record: Readonly<Record<string, Value>>,
  write: (value: Value, name: string) => Written,
): Record<string, Written> {
  const names = Object.keys(record).sort();
  return Object.fromEntries(names.map((name) => [name, write(record[name] as Value, name)]));
}

/** A file with these names is refused by every reader that is as strict as ours. */
function checkKeys(server: string, tools: readonly string[]): void {
  const hostile = server === 'constructor' ? ['__proto__', 'prototype'] : ['__proto__'];
  if (server !== '__proto__' && !tools.some((tool) => hostile.includes(tool))) return;
  throw new McpError(
    'mcp/lock-invalid',
    'A server or tool whose name can change a prototype cannot be locked.',
  );
}
