import {
  canonicalJson,
  digestText,
  freezeJson,
  JsonError,
  type JsonObject,
  type JsonValue,
  readJson,
} from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import type { LockedDefinition, LockedTool } from './lock-file.ts';

/** What is pinned, in the order in which it is written and shown. */
export const PINNED_MEMBERS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
] as const;

/** Bytes of one definition as JSON: 8 MiB. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Open brackets; what a schema nests and a compiler still takes is far below. */
const MAX_DEPTH = 256;
/** Characters; what is longer can be no name of a tool that anybody calls. */
export const MAX_NAME_LENGTH = 1_024;

// A brand, not a cache: a definition in here was made below and is deeply frozen, so that it is what it was then.
const made = new WeakMap<object, LockedTool>();

/**
 * Takes out of what a server lists as a tool what is pinned, detached and frozen, with its digest. Whether the schemas
 * compile is not looked at: a tool that cannot be used can be pinned too.
 *
 * @param raw - One entry of `tools/list`, as received.
 * @throws {@link McpError} `mcp/definition-invalid` when it is no object, has no name, or is no I-JSON (RFC 7493).
 */
export function toLockedTool(raw: unknown): LockedTool {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw invalid('The tool is not an object.');
  const known = made.get(raw);
  if (known !== undefined) return known;
  const text = toText(raw);
  const definition = readDefinition(text);
  const name: JsonValue | undefined = definition['name'];
  if (typeof name !== 'string' || name === '') throw invalid('The tool has no name.', '/name');
  // No strict reader would take a file with this member.
  if (name === '__proto__') throw invalid('A tool that is named __proto__ cannot be pinned.', '/name');
  if (name.length > MAX_NAME_LENGTH)
    throw invalid(`The name of a tool has at most ${MAX_NAME_LENGTH} characters.`, '/name');
  // The text was made canonical before it was read.
  const locked: LockedTool = Object.freeze({
    digest: digestText(text),
    definition: definition as LockedDefinition,
  });
  made.set(definition, locked);
  return locked;
}

/** The pinned members as canonical JSON. */
function toText(raw: object): string {
  const pinned: Record<string, unknown> = {};
  try {
    for (const member of PINNED_MEMBERS) {
      const value: unknown = Object.hasOwn(raw, member) ? Reflect.get(raw, member) : undefined;
      if (value !== undefined) pinned[member] = value;
    }
    // Refuses whatever is no JSON.
    return canonicalJson(pinned as JsonObject);
  } catch (cause) {
    if (JsonError.is(cause)) throw invalid(cause.message, cause.pointer, cause);
    throw invalid('Reading the tool failed.', undefined, cause);
  }
}

/** Reads what was just written, so that what is pinned is what a lock file can hold. */
function readDefinition(text: string): JsonObject {
  try {
    return freezeJson(readJson(text, { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH }) as JsonObject);
  } catch (cause) {
    if (JsonError.is(cause)) throw invalid(cause.message, cause.pointer, cause);
    throw cause;
  }
}

function invalid(message: string, pointer?: string, cause?: unknown): McpError {
  return new McpError('mcp/definition-invalid', message, { pointer, cause });
}
