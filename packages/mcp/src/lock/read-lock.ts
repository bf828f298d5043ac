import {
  appendPointer,
  JsonError,
  type JsonObject,
  type JsonValue,
  joinPointer,
  readJson,
} from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import type { LockedServer, LockedTool, LockFile } from './lock-file.ts';
import { toLockedTool } from './to-locked-tool.ts';

/** Bytes of a lock file: 64 MiB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Four brackets around a definition, and what a definition may nest. */
const MAX_DEPTH = 260;

/**
 * Reads a lock file strictly. Whatever is wrong with it, nothing is trusted: a file that is cut off, edited or of
 * another version is an error and never an empty lock.
 *
 * Every digest is computed again, so that neither a definition nor a digest can be changed alone.
 *
 * @throws {@link McpError} `mcp/lock-invalid` with the place, `mcp/lock-edited`
 */
export function readLock(text: string | Uint8Array): LockFile {
  const file = asObject(readText(text), '');
  const version = member(file, 'version');
  if (version !== 1) {
    throw invalid(`Only version 1 of the lock file is known${sayVersion(version)}.`, '/version');
  }
  checkMembers(file, ['version', 'servers'], '');
  const servers: Record<string, LockedServer> = Object.create(null) as Record<string, LockedServer>;
  for (const [server, tools] of entriesOf(member(file, 'servers'), '/servers')) {
    if (server === '') throw invalid('A server has to have a name.', '/servers');
    servers[server] = readServer(tools, joinPointer(['servers', server]));
  }
  return Object.freeze({ version: 1, servers: Object.freeze(servers) });
}

function readServer(value: JsonValue, pointer: string): LockedServer {
  const tools: Record<string, LockedTool> = Object.create(null) as Record<string, LockedTool>;
  for (const [name, tool] of entriesOf(value, pointer)) {
    tools[name] = readTool(tool, name, appendPointer(pointer, name));
  }
  return Object.freeze(tools);
}

function readTool(value: JsonValue, name: string, pointer: string): LockedTool {
  const entry = asObject(value, pointer);
  checkMembers(entry, ['digest', 'definition'], pointer);
  const at = appendPointer(pointer, 'definition');
  const definition = asObject(member(entry, 'definition'), at);
  const locked = take(definition, at);
  if (locked.definition.name !== name) {
    throw new McpError('mcp/lock-edited', 'The definition has another name than it is locked under.', {
      pointer: appendPointer(at, 'name'),
    });
  }
  // Members that are not pinned would be trusted by whoever reads the file and by nobody else.
  checkMembers(definition, Object.keys(locked.definition), at);
  if (locked.digest !== member(entry, 'digest')) {
    throw new McpError(
      'mcp/lock-edited',
      'The digest is not that of the definition: one of them was edited.',
      {
        pointer,
      },
    );
  }
  return locked;
}

function take(definition: JsonObject, pointer: string): LockedTool {
  try {
    return toLockedTool(definition);
  } catch (cause) {
    if (!McpError.is(cause)) throw cause;
    throw invalid(cause.message, `${pointer}${cause.pointer ?? ''}`, cause);
  }
}

function readText(text: string | Uint8Array): JsonValue {
  try {
    return readJson(text, { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH });
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    throw invalid(`The lock file cannot be read: ${cause.message}.`, cause.pointer, cause);
  }
}

function sayVersion(version: JsonValue | undefined): string {
  return typeof version === 'number' ? `; this one has version ${version}` : '';
}

function entriesOf(value: JsonValue | undefined, pointer: string): readonly (readonly [string, JsonValue])[] {
  return Object.entries(asObject(value, pointer));
}

function asObject(value: JsonValue | undefined, pointer: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw invalid('An object is expected here.', pointer);
}

function member(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function checkMembers(value: JsonObject, known: readonly string[], pointer: string): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid('This member is not known.', appendPointer(pointer, unknown));
}

function invalid(message: string, pointer: string, cause?: unknown): McpError {
  return new McpError('mcp/lock-invalid', message, { pointer, cause });
}
