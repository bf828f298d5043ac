import { McpError } from '../mcp-error.ts';
import type { LockedTool } from './lock-file.ts';
import { MAX_NAME_LENGTH, toLockedTool } from './to-locked-tool.ts';

/** What a server lists under one name. */
export type ListedTool =
  | { readonly kind: 'tool'; readonly locked: LockedTool }
  | { readonly kind: 'problem'; readonly problem: string };

const TWICE: ListedTool = Object.freeze({
  kind: 'problem',
  problem: 'The server lists this name more than once, so that nobody can say which of them was reviewed.',
});

/** The entries of `tools/list` by name. What has no name gets its place in the list for one. */
export function takeListed(entries: readonly unknown[]): ReadonlyMap<string, ListedTool> {
  const listed = new Map<string, ListedTool>();
  for (const [index, entry] of entries.entries()) {
    const name = nameOf(entry) ?? `#${index + 1}`;
    listed.set(name, listed.has(name) ? TWICE : take(entry));
  }
  return listed;
}

function take(entry: unknown): ListedTool {
  try {
    return { kind: 'tool', locked: toLockedTool(entry) };
  } catch (error) {
    if (!McpError.is(error)) throw error;
    return { kind: 'problem', problem: error.message };
  }
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, 'name')) return undefined;
  try {
    const name: unknown = Reflect.get(entry, 'name');
    if (typeof name !== 'string' || name === '') return undefined;
    return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : name;
  } catch {
    return undefined;
  }
}
